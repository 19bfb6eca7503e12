import FoundationEssentials
import Models

/// Ids that can be told apart in a failure: `UUID.example(7)` ends in 7.
extension UUID {
    package static func example(_ number: UInt32) -> UUID {
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        return UUID(
            uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, byte(24), byte(16), byte(8), byte(0)))
    }
}

extension Date {
    /// A fixed morning: 2026-10-12 09:00:00 UTC, a Monday.
    package static let exampleMorning = Date(timeIntervalSince1970: 1_791_795_600)

    /// Minutes after the fixed morning.
    package static func example(minutes: Int) -> Date {
        exampleMorning.addingTimeInterval(TimeInterval(minutes * 60))
    }
}

extension Person {
    package static let ana = Person(id: .example(1), username: "ana", displayName: "ana")
    package static let ben = Person(id: .example(2), username: "ben", displayName: "ben")
    package static let cleo = Person(id: .example(3), username: "cleo", displayName: "cleo")
    package static let dana = Person(id: .example(4), username: "dana", displayName: "dana")
}

extension Message {
    /// A confirmed message; `minutes` after the fixed morning give its time, its position and its id.
    package static func example(
        _ body: String, from sender: Person? = .ben, minutes: Int = 41,
        in conversationID: UUID = .example(100),
        id: UUID? = nil, state: DeliveryState = .sent, failure: SendError? = nil, replyTo: UUID? = nil
    ) -> Message {
        let date = Date.example(minutes: minutes)
        return Message(
            id: id ?? .example(UInt32(10_000 + minutes)), conversationID: conversationID,
            senderID: sender?.id,
            body: body, createdAt: date, deliveryState: failure == nil ? state : .failed,
            position: date.microseconds, failure: failure, replyTo: replyTo)
    }

    /// A message that waits to be sent.
    package static func waiting(
        _ body: String, order: Int64, from sender: Person = .ana, in conversationID: UUID = .example(100)
    ) -> Message {
        Message(
            id: .example(UInt32(50_000 + order)), conversationID: conversationID, senderID: sender.id,
            body: body,
            createdAt: .example(minutes: 50), deliveryState: .sending, typedOrder: order)
    }
}

extension Conversation {
    package static func example(
        _ title: String, _ number: UInt32 = 100, isGroup: Bool = false, last: Message? = nil, unread: Int = 0,
        minutes: Int = 41, members: Int = 2, peer: Person? = nil, readPosition: Int64? = nil
    ) -> Conversation {
        Conversation(
            id: .example(number), title: title, isGroup: isGroup, lastMessage: last, unreadCount: unread,
            activityAt: Date.example(minutes: minutes).microseconds, memberCount: members, peer: peer,
            readPosition: readPosition)
    }
}

extension AccountID {
    package static let example = AccountID(rawValue: .example(900))
}
