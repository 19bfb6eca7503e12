/// What an address and a password must look like.
enum Credentials {
    /// The address as it is kept: in lower case.
    static func address(_ text: String) throws(Refusal) -> String {
        let address = text.lowercased()
        guard address.utf8.count <= 255 else {
            throw Refusal(400, "validation_failed", "An email address is too long")
        }
        let halves = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.value >= 0x20 && !"\"<>(),;:\\".unicodeScalars.contains($0)
        }
        guard halves.count == 2, !halves[0].isEmpty, isPlain, isDomain(halves[1]) else {
            throw Refusal(
                400, "validation_failed", "Unable to validate email address: invalid format")
        }
        return address
    }

    static func checkPassword(_ password: String) throws(Refusal) {
        guard !password.isEmpty else {
            throw Refusal(400, "validation_failed", "Signup requires a valid password")
        }
        guard password.utf8.count <= 72 else {
            throw Refusal(400, "validation_failed", "Password cannot be longer than 72 characters")
        }
        guard password.unicodeScalars.count >= 6 else {
            var refusal = Refusal(
                422, "weak_password", "Password should be at least 6 characters.")
            refusal.weakPasswordReasons = ["length"]
            throw refusal
        }
    }

    static func isRefreshToken(_ text: String) -> Bool {
        text.utf8.count == Sessions.tokenLength && text.utf8.allSatisfy(Checks.isLetterOrDigit)
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" || $0 == "."
            }
    }
}
