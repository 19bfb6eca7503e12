import FoundationEssentials
import Models

extension UUID {
    package static let ana = Person.ana.id
    package static let ben = Person.ben.id
    package static let cleo = Person.cleo.id
}

extension Message {
    /// A message as a service has it.
    /// - Parameter position: Also its version, and microseconds after the fixed morning.
    package static func stored(
        _ body: String, id: UUID = UUID(), in conversationID: UUID, from senderID: UUID? = .ben,
        at position: Int64
    ) -> Message {
        Message(
            id: id, conversationID: conversationID, senderID: senderID, body: body,
            createdAt: Date(microseconds: Date.exampleMorning.microseconds + position), position: position,
            version: position)
    }

    /// A message of Ana's on its way into the outbox.
    package static func typed(_ body: String, id: UUID = UUID(), in conversationID: UUID) -> Message {
        Message(
            id: id, conversationID: conversationID, senderID: .ana, body: body, createdAt: .exampleMorning,
            deliveryState: .sending)
    }
}
