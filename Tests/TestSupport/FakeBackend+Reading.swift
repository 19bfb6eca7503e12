import Backend
import FoundationEssentials
import Models

extension FakeBackend {
    package func message(_ id: UUID, in conversationID: UUID) async throws(BackendError) -> MessageChange {
        try mayRead("message")
        guard let message = server.messages(in: conversationID).first(where: { $0.id == id }) else {
            throw .notFound
        }
        return MessageChange(message: message)
    }
}
