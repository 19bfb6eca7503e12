/// What the command line asks the program to do.
package enum Invocation: Equatable, Sendable {
    /// The full screen over the accounts of this user.
    case screen
    /// The full screen over a server in this process, with people who answer.
    case demo(DemoArguments)
    case serve(ServeArguments)
    case login(LoginArguments)
    case logout(LogoutArguments)
    case accounts(AccountsArguments)
    case help
    case version

    /// Reads the arguments behind the program's name.
    /// - Throws: `UsageError` with the word that does not fit.
    package static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else { return .screen }
        let rest = Array(arguments.dropFirst())
        let asksForHelp = rest.contains("-h") || rest.contains("--help")
        switch first {
        case "-h", "--help", "help": return .help
        case "-V", "--version", "version": return .version
        case "demo", "serve", "login", "logout", "accounts":
            if asksForHelp { return .help }
            return try command(first, rest)
        default:
            throw first.hasPrefix("-") ? .unknownOption(first) : .unknownCommand(first)
        }
    }
}

extension Invocation {
    private static func command(_ name: String, _ rest: [String]) throws(UsageError) -> Invocation {
        switch name {
        case "demo": .demo(try DemoArguments(rest))
        case "serve": .serve(try ServeArguments(rest))
        case "login": .login(try LoginArguments(rest))
        case "logout": .logout(try LogoutArguments(rest))
        default: .accounts(try AccountsArguments(rest))
        }
    }
}

/// The options of `pingline demo`.
package struct DemoArguments: Equatable, Sendable {
    /// `SECONDS@EVERY`, as typed: the link is cut for so long, every so often.
    package var outage: String?

    package init(outage: String? = nil) {
        self.outage = outage
    }

    init(_ arguments: [String]) throws(UsageError) {
        var options = OptionReader(arguments)
        while let option = options.next() {
            switch option.name {
            case "--outage": outage = try options.value(of: option)
            default: throw .unknownOption(option.name)
            }
        }
    }
}

/// The options of `pingline serve`.
package struct ServeArguments: Equatable, Sendable {
    package var host = "127.0.0.1"
    package var port: UInt16 = ServeArguments.defaultPort
    /// `nil`: the folder `server` beside the accounts.
    package var directory: String?
    /// A proxy with TLS stands in front, so listening beyond loopback is meant.
    package var isBehindProxy = false
    /// Seconds.
    package var accessTokenLifetime: Int?
    /// Seconds in which a spent refresh token is forgiven; `nil` leaves the default.
    package var refreshWindow: Int?
    /// Seconds of silence after which a client is let go; `nil` leaves the default.
    package var idleLimit: Int?
    /// Clients at once; `nil` leaves the default.
    package var sockets: Int?
    /// Channels all clients together may join in a second, on average; `nil` leaves the default.
    package var joinsPerSecond: Int?
    /// Broadcasts and presences one client may send in a second, on average; `nil` leaves the default.
    package var messagesPerSecond: Int?
    /// Megabytes (of 2^20 bytes) of all files of one account; `nil` leaves the default.
    package var accountFiles: Int64?
    /// Megabytes of all files; `nil` leaves the default.
    package var allFiles: Int64?
    /// Megabytes that files leave free on the disk; `nil` leaves the default.
    package var keptFree: Int64?
    package var printsJSON = false
    /// Prints the tables of a hosted project instead of serving.
    package var printsSchema = false

    package static let defaultPort: UInt16 = 4747
    /// A million gigabytes: no disk here has more, and the bytes of it can be counted.
    private static let mostMegabytes: Int64 = 1_000_000_000

    package init() {}

    init(_ arguments: [String]) throws(UsageError) {
        var options = OptionReader(arguments)
        while let option = options.next() {
            switch option.name {
            case "--host": host = try options.value(of: option)
            case "--port": port = try options.number(of: option, in: 0...UInt16.max)
            case "--directory": directory = try options.value(of: option)
            case "--behind-proxy": isBehindProxy = true
            case "--token-lifetime": accessTokenLifetime = try options.number(of: option, in: 1...86_400)
            case "--refresh-window": refreshWindow = try options.number(of: option, in: 0...600)
            case "--idle-limit": idleLimit = try options.number(of: option, in: 1...3_600)
            case "--sockets": sockets = try options.number(of: option, in: 1...100_000)
            case "--joins-per-second": joinsPerSecond = try options.number(of: option, in: 1...100_000)
            case "--messages-per-second": messagesPerSecond = try options.number(of: option, in: 1...100_000)
            case "--account-files": accountFiles = try options.number(of: option, in: 1...Self.mostMegabytes)
            case "--all-files": allFiles = try options.number(of: option, in: 1...Self.mostMegabytes)
            case "--keep-free": keptFree = try options.number(of: option, in: 0...Self.mostMegabytes)
            case "--json": printsJSON = true
            case "--print-schema": printsSchema = true
            default: throw .unknownOption(option.name)
            }
        }
    }
}

/// A word on the command line that does not fit.
package enum UsageError: Error, Equatable, Sendable {
    case unknownCommand(String)
    case unknownOption(String)
    /// One word more than the command takes.
    case tooMany(String)
    /// A password where everybody on the machine can read it.
    case passwordArgument
    case missingValue(option: String)
    case notANumber(option: String, lowest: Int, highest: Int)

    /// One line for standard error. The words of the command line are the user's own.
    package var text: String {
        switch self {
        case .unknownCommand(let word): "There is no command “\(word)”. See pingline --help."
        case .unknownOption(let word): "There is no option “\(word)” here. See pingline --help."
        case .tooMany(let word): "“\(word)” is one word too many here. See pingline --help."
        case .passwordArgument:
            "A password is no argument: everybody on this machine could read it. It is asked for, or read from standard input."
        case .missingValue(let option): "The option \(option) needs a value behind it."
        case .notANumber(let option, let lowest, let highest):
            "The option \(option) takes a whole number from \(lowest) to \(highest)."
        }
    }
}
