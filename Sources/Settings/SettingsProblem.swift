/// One thing in `config.toml` that is not in force as written. The rest of the file is.
///
/// It names the place and the known names, never a value: a value may be a secret.
package struct SettingsProblem: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unknown(nearest: String?)
        case wrongKind(expected: String)
        case outOfRange(ClosedRange<Int>)
        case notOneOf([String], nearest: String?)
        case missing
        case empty
        case repeatedName
        case address(ServerAddressError)
        /// A key that opens everything belongs on no client.
        case serviceKey
        case unknownKey
        /// The same key was given to `action` before, in the same place.
        case keyTaken(action: String, line: Int)
        /// Terminals send the same byte for both.
        case sameByte(as: String)
        case typesText
    }

    /// Lines count from 1.
    package let line: Int
    /// Where in the file: `theme`, `accounts[2].url`, `keys.list.open`.
    package let path: String
    package let reason: Reason

    package init(line: Int, path: String, reason: Reason) {
        self.line = line
        self.path = path
        self.reason = reason
    }

    /// One line of words for people.
    package var text: String { "line \(line): \(path) \(words)" }

    private var words: String {
        switch reason {
        case .unknown(let nearest?): "is no setting. Did you mean \(nearest)?"
        case .unknown(nil): "is no setting."
        case .wrongKind(let expected): "must be \(expected)."
        case .outOfRange(let range): "must be between \(range.lowerBound) and \(range.upperBound)."
        case .notOneOf(let known, let nearest):
            "must be one of \(known.joined(separator: ", "))."
                + (nearest.map { " Did you mean \($0)?" } ?? "")
        case .missing: "is missing."
        case .empty: "is empty."
        case .repeatedName: "is the name of an account above."
        case .address(let error): error.words
        case .serviceKey: "is a key for servers, which may do everything. Use the publishable (anon) key."
        case .unknownKey: "names a key that Pingline does not know."
        case .keyTaken(let action, let line): "has a key that \(action) has already (line \(line))."
        case .sameByte(let other): "has a key that terminals cannot tell from \(other)."
        case .typesText: "has a letter as its key, which must stay free for writing."
        }
    }
}
