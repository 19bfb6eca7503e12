import Diagnostics
import FoundationEssentials
import Models
import Server
import SupabaseBackend

/// A server inside this program, with people on it who have a history, read, type and answer.
///
/// They are clients like any other and talk to the server over loopback. Nothing is kept: messages live in
/// memory, the companions' sessions in a folder that `stop` removes.
package actor Demo {
    private let configuration: DemoConfiguration
    private let log: Log
    private let pace: Pace
    private var server: ChatServer?
    private var relay: Relay?
    private var tasks: [Task<Void, Never>] = []

    package init(_ configuration: DemoConfiguration) {
        self.configuration = configuration
        log = configuration.log.named("demo")
        pace = Pace(tempo: configuration.tempo, sleep: configuration.clock.sleep)
    }

    /// Starts the server with its history, and the people on it.
    /// - Returns: How the person at the screen gets in. The companions come online a moment later.
    package func start() async throws(DemoError) -> DemoAccount {
        guard server == nil else { throw .alreadyStarted }
        var serving = ServerConfiguration()
        serving.passwordCost = .least
        serving.now = configuration.clock.wall
        serving.log = configuration.log
        let server = ChatServer(serving)
        self.server = server
        do throws(DemoError) { return try await open(server) } catch {
            await stop()
            throw error
        }
    }

    /// Sends everybody home and ends the server; returns when nothing of it is left.
    package func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        tasks = []
        await relay?.end()
        relay = nil
        await server?.stop()
        server = nil
        // What cannot be removed holds tokens of a server that is gone.
        try? FileManager.default.removeItem(atPath: configuration.folder)
    }

    private func open(_ server: ChatServer) async throws(DemoError) -> DemoAccount {
        let address: ServingAddress
        let cast: Cast
        let password = UUID().uuidString
        do throws(ServerError) {
            address = try await server.start()
            let timeline = Timeline(now: configuration.clock.wall(), offset: configuration.offset)
            cast = try await HistorySeeding(
                server: server, timeline: timeline, password: password, seed: configuration.seed
            ).run()
        } catch { throw .noServer("\(error)") }
        let baseURL = try link(to: address)
        let people = Companions(
            address: address, password: password, cast: cast, pace: pace, configuration: configuration)
        tasks.append(Task { await people.run() })
        return DemoAccount(
            baseURL: baseURL, key: address.publishableKey, email: Role.you.email, password: password,
            displayName: Role.you.displayName)
    }

    /// The server's own address, or that of a link which comes and goes.
    private func link(to address: ServingAddress) throws(DemoError) -> String {
        guard let outage = configuration.outage else { return address.baseURL }
        guard let colon = address.baseURL.lastIndex(of: ":"),
            let port = UInt16(address.baseURL[address.baseURL.index(after: colon)...])
        else { throw .noServer("no port") }
        let relay = try Relay(to: port)
        self.relay = relay
        tasks.append(Task { [pace] in await Self.comeAndGo(relay, outage, pace) })
        return "http://127.0.0.1:\(relay.port)"
    }

    private static func comeAndGo(_ relay: Relay, _ outage: Outage, _ pace: Pace) async {
        while await pace.wait(outage.pause) {
            relay.cut()
            guard await pace.wait(outage.length) else { return }
            relay.mend()
        }
    }
}
