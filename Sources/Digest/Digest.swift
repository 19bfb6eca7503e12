import CCrypto
import FoundationEssentials

/// SHA-1 and SHA-256 of bytes held in memory.
///
/// SHA-1 is here for the WebSocket handshake and version 5 UUIDs, which prescribe it; nothing of ours may
/// rely on it against an attacker.
package enum Digest {
    /// - Returns: 20 bytes.
    package static func sha1(_ bytes: some ContiguousBytes) -> [UInt8] {
        digest(of: bytes, count: 20, pl_sha1)
    }

    /// - Returns: 32 bytes.
    package static func sha256(_ bytes: some ContiguousBytes) -> [UInt8] {
        digest(of: bytes, count: 32, pl_sha256)
    }

    /// The digest of the text's UTF-8 bytes. - Returns: 32 bytes.
    package static func sha256(_ text: String) -> [UInt8] {
        sha256(Array(text.utf8))
    }

    private typealias Function = (UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Int32

    private static func digest(of bytes: some ContiguousBytes, count: Int, _ function: Function) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        let done = bytes.withUnsafeBytes { function($0.baseAddress, $0.count, &out) }
        // libcrypto refuses only without memory or under a policy that forbids the algorithm. Going on with
        // zeros would give two contents the same digest.
        precondition(done == 1, "libcrypto has no such digest")
        return out
    }
}
