import CSodium

/// Random bytes, codes and password hashes of libsodium.
enum Sodium {
    /// Must succeed once before anything else here is used.
    static func start() -> Bool { pl_sodium_start() == 0 }

    static func random(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            pl_sodium_random(buffer.baseAddress, count)
            initialized = count
        }
    }

    /// `count` letters and digits drawn evenly from `alphabet`, which holds at most 256 characters.
    static func randomText(_ count: Int, of alphabet: String) -> String {
        let letters = Array(alphabet.utf8)
        let limit = 256 - 256 % letters.count
        var text: [UInt8] = []
        while text.count < count {
            for byte in random(count) where Int(byte) < limit && text.count < count {
                text.append(letters[Int(byte) % letters.count])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: PL_SODIUM_MAC_BYTES) { buffer, initialized in
            pl_sodium_hmac_sha256(buffer.baseAddress, bytes, bytes.count, key, key.count)
            initialized = PL_SODIUM_MAC_BYTES
        }
    }

    /// Compares in a time that tells nothing of where a difference is.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && pl_sodium_equal(one, other, one.count) == 1
    }

    /// A hash with its own salt and cost; `nil` when memory is short.
    static func hash(password: String, cost: PasswordCost) -> String? {
        var password = Array(password.utf8CString)
        defer { for index in password.indices { password[index] = 0 } }
        var hash = [CChar](repeating: 0, count: PL_SODIUM_HASH_BYTES)
        let work = cost == .least ? PL_SODIUM_COST_LEAST : PL_SODIUM_COST_INTERACTIVE
        let code = pl_sodium_hash_password(&hash, password, password.count - 1, Int32(work))
        guard code == 0 else { return nil }
        return String(decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func matches(password: String, hash: String) -> Bool {
        var password = Array(password.utf8CString)
        defer { for index in password.indices { password[index] = 0 } }
        return pl_sodium_password_matches(hash, password, password.count - 1) == 1
    }
}
