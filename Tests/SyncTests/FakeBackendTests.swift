import Backend
import TestSupport
import Testing

/// The fake keeps what it promises, or the tests that lean on it prove nothing.
@Suite(.timeLimit(.minutes(1))) struct FakeBackendTests {
    @Test(arguments: backendContract) func keeps(_ check: BackendCheck) async throws {
        let server = FakeServer()
        let room = server.addConversation(of: [.ana, .ben])
        try await check.run(
            ContractWorld(
                ana: FakeBackend(server: server, userID: .ana),
                ben: FakeBackend(server: server, userID: .ben),
                conversationID: room))
    }
}
