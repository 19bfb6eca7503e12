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
        let signals = StopSignals()
        let server = ChatServer(configuration)
        let address: ServingAddress
        do throws(ServerError) {
            address = try await server.start()
        } catch {
            console.complain("\(error.message.what) \(error.message.next)")
            return .unavailable
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
        configuration.log = log
        return configuration
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
