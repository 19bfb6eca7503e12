/// The words behind `pingline login`. A password is not among them: arguments are seen by everybody on a machine.
package struct LoginArguments: Equatable, Sendable {
    /// As typed; asked for when it is missing.
    package var server: String?
    /// The project's publishable key.
    package var key: String?
    /// Asked for when it is missing.
    package var email: String?
    /// Makes a new account instead of signing in.
    package var isNew = false
    /// What its owner calls the account.
    package var label: String?
    /// A file of PEM certificates to trust besides the system's; as typed.
    package var caFile: String?
    /// Whether bytes may leave this machine readable.
    package var allowsPlainHTTP = false

    package init() {}

    init(_ arguments: [String]) throws(UsageError) {
        var options = OptionReader(arguments)
        while let option = options.next() {
            switch option.name {
            case "--sign-up": isNew = true
            case "--key": key = try options.value(of: option)
            case "--email": email = try options.value(of: option)
            case "--label": label = try options.value(of: option)
            case "--ca-file": caFile = try options.value(of: option)
            case "--allow-http": allowsPlainHTTP = true
            case "--password": throw .passwordArgument
            default:
                guard !option.name.hasPrefix("-") else { throw .unknownOption(option.name) }
                guard server == nil else { throw .tooMany(option.word) }
                server = option.word
            }
        }
    }
}

/// The words behind `pingline logout`.
package struct LogoutArguments: Equatable, Sendable {
    /// What tells the account from the others; `nil` when there is only one.
    package var account: String?

    package init(account: String? = nil) {
        self.account = account
    }

    init(_ arguments: [String]) throws(UsageError) {
        var options = OptionReader(arguments)
        while let option = options.next() {
            guard !option.name.hasPrefix("-") else { throw .unknownOption(option.name) }
            guard account == nil else { throw .tooMany(option.word) }
            account = option.word
        }
    }
}

/// The words behind `pingline accounts`.
package struct AccountsArguments: Equatable, Sendable {
    package var printsJSON: Bool

    package init(printsJSON: Bool = false) {
        self.printsJSON = printsJSON
    }

    init(_ arguments: [String]) throws(UsageError) {
        self.init()
        var options = OptionReader(arguments)
        while let option = options.next() {
            guard option.name == "--json" else { throw .unknownOption(option.name) }
            printsJSON = true
        }
    }
}
