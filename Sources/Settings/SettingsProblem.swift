import Addresses

/// One thing in `config.toml` that is not in force as written. The rest of the file is.
///
/// It names the place and the known names, never a value, which may be a secret; keys are none.
package struct SettingsProblem: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unknown(nearest: String?)
        /// Both in words: `true or false`, `a text`.
        case wrongKind(expected: String, found: String)
        case outOfRange(ClosedRange<Int>)
        case notOneOf([String], nearest: String?)
        case missing
        case empty
        case repeatedName
        case address(ServerAddressError)
        /// A key that opens everything belongs on no client.
        case serviceKey
        case unknownKey(String)
        /// The same key was given to `action` before, in the same place.
        case keyTaken(action: String, line: Int)
        /// An action that nobody gave another key has this one, or one it is the beginning of, in that place.
        case keyBuiltIn(key: String, action: String, place: String)
        /// The place could not be left without a key for it.
        case keyNeeded
        /// No terminal sends it unless it is told to.
        case neverSent
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
        case .wrongKind(let expected, let found): "must be \(expected), not \(found)."
        case .outOfRange(let range): "must be between \(range.lowerBound) and \(range.upperBound)."
        case .notOneOf(let known, let nearest):
            "must be one of \(known.joined(separator: ", "))."
                + (nearest.map { " Did you mean \($0)?" } ?? "")
        case .missing: "is missing."
        case .empty: "is empty."
        case .repeatedName: "is the name of an account above."
        case .address(let error): error.words
        case .serviceKey: "is a key for servers, which may do everything. Use the publishable (anon) key."
        case .unknownKey(let name): "names a key that Pingline does not know: \(name)."
        case .keyTaken(let action, let line): "has a key that \(action) has already (line \(line))."
        case .keyBuiltIn(let key, let action, let place):
            "cannot have \(key): in \(place) that is \(action). Give \(action) another key first."
        case .keyNeeded: "needs a key."
        case .neverSent: "has a key that most terminals do not send."
        case .sameByte(let other): "has a key that terminals cannot tell from \(other)."
        case .typesText: "has a letter as its key, which must stay free for writing."
        }
    }
}

extension ServerAddressError {
    fileprivate var words: String {
        switch self {
        case .empty: "is empty. Give the server's address, like https://chat.example.org."
        case .otherScheme: "must begin with https://, not with another kind of address."
        case .unreadable: "cannot be read as an address like https://chat.example.org."
        case .hasUser: "must not hold a user name or a password."
        case .hasQuery: "must end before its ? or #."
        case .plainHTTP:
            "is not encrypted and goes to another machine. Use https://, or set allow_plain_http = true."
        case .dashboard(let project):
            "is a page of Supabase's dashboard. Give \(project ?? "the project's address, https://….supabase.co")."
        case .database(let project):
            "is the address of a database. Give \(project ?? "the project's own, https://….supabase.co")."
        case .key: "is a key. Give the server's address, like https://chat.example.org."
        }
    }
}
