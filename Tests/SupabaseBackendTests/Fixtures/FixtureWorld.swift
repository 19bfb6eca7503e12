import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import WireFixtures

@testable import SupabaseBackend

/// A client whose server answers with fixtures.
struct FixtureWorld {
    let world: SessionWorld
    let reading: Reading
    let files: Files

    /// - Parameter answers: What the server answers, one after the other; then nothing can be reached.
    init(_ answers: [HTTPResponse] = []) async throws {
        world = try SessionWorld()
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        let session = world.session()
        reading = world.rest(session)
        files = Files(
            client: StorageClient(
                address: world.address, key: "key", http: world.http, session: session,
                clock: world.backendClock, log: .silent))
    }

    var writing: Writing { Writing(reading: reading, files: files) }

    /// The body of the first request.
    var body: JSONValue? { world.http.requests.first?.bodyJSON }

    func sent(_ message: OutgoingMessage) async -> JSONValue? { await performed(.send(message)) }

    func performed(_ operation: OutgoingOperation) async -> JSONValue? {
        _ = await writing.perform(operation)
        return body
    }

    func listed() throws -> [ListedConversationRow] {
        let fixture = try WireFixture.named("rest/list-conversations.rows")
        return try WireCoding.decode(LossyRows<ListedConversationRow>.self, from: fixture.text).rows
    }
}

extension HTTPResponse {
    /// A fixture as the body.
    static func fixture(_ name: String, _ status: Int = 200) throws -> HTTPResponse {
        .json(status, try WireFixture.named(name).text)
    }
}
