import Diagnostics
import Glibc
import Server
import Settings

/// `pingline serve`: the embedded server until a signal asks it to end.
package struct ServeCommand: Sendable {
    private let arguments: ServeArguments
    private let directories: Directories
    private let console: Console
    private let log: Log

    package init(_ arguments: ServeArguments, directories: Directories, console: Console, log: Log) {
        self.arguments = arguments
        self.directories = directories
        self.console = console
        self.log = log
    }

    /// Listens, says where, and drains before it returns. A second signal ends it at once.
    package func run() async -> ExitCode {
        signal(SIGPIPE, SIG_IGN)
        guard !arguments.printsSchema else {
            console.print(HostedSchema.sql)
            return .done
        }
        let signals = StopSignals()
        let limits = configuration.limits
        // A connection may be answered from a file.
        let files = raiseFileLimit(to: limits.sockets + 2 * limits.connections + 100)
        guard files >= limits.sockets + 100 else {
            console.complain(
                "The system lets this program open \(files) files, too few for \(limits.sockets) clients. "
                    + "Raise the limit (ulimit -Hn), or ask for fewer with --sockets.")
            return .system
        }
        let server = ChatServer(configuration)
        let address: ServingAddress
        do throws(ServerError) {
            address = try await server.start()
        } catch {
            console.complain("\(error.message.what) \(error.message.next)")
            return ExitCode(error)
        }
        announce(address)
        _ = await signals.wait()
        await server.stop()
        return .done
    }

    private var configuration: ServerConfiguration {
        var configuration = ServerConfiguration(
            directory: arguments.directory ?? directories.data + "/server")
        configuration.host = arguments.host
        configuration.port = arguments.port
        configuration.allowsWiderListening = arguments.isBehindProxy
        if let seconds = arguments.accessTokenLifetime {
            configuration.accessTokenLifetime = .seconds(seconds)
        }
        if let seconds = arguments.refreshWindow { configuration.refreshReuseWindow = .seconds(seconds) }
        if let seconds = arguments.idleLimit { configuration.idleLimit = .seconds(seconds) }
        if let count = arguments.sockets { configuration.limits.sockets = count }
        if let count = arguments.joinsPerSecond { configuration.limits.joinsPerSecond = count }
        if let count = arguments.messagesPerSecond { configuration.limits.messagesPerSecond = count }
        if let megabytes = arguments.accountFiles { configuration.limits.accountBytes = megabytes << 20 }
        if let megabytes = arguments.allFiles { configuration.limits.storedBytes = megabytes << 20 }
        if let megabytes = arguments.keptFree { configuration.limits.freeBytes = megabytes << 20 }
        configuration.log = log
        return configuration
    }

    /// Every client is an open file. The system gives a process few of them unless it asks for more.
    /// - Returns: How many it may open now.
    private func raiseFileLimit(to wanted: Int) -> Int {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return wanted }
        let enough = rlim_t(wanted)
        guard limit.rlim_cur < enough else { return wanted }
        limit.rlim_cur = min(enough, limit.rlim_max)
        setrlimit(files, &limit)
        getrlimit(files, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    private func announce(_ address: ServingAddress) {
        if arguments.printsJSON {
            console.say(#"{"base_url":"\#(address.baseURL)","publishable_key":"\#(address.publishableKey)"}"#)
        } else {
            console.say("Pingline serves at \(address.baseURL)")
            console.say("Open another terminal, start pingline, and sign up there.")
            console.say("Key for other clients: \(address.publishableKey)")
        }
    }
}

extension ExitCode {
    fileprivate init(_ error: ServerError) {
        self =
            switch error {
            case .widerListening, .badHost: .usage
            case .portTaken, .inUse, .alreadyRunning, .libraryMissing: .unavailable
            case .portNotAllowed, .addressNotHere, .cannotListen: .system
            case .directory, .damaged, .newer, .diskFull, .storage: .inputOutput
            }
    }
}
