import FoundationEssentials
import Models
import Timestamps

/// A message of a trial as it was reported of another messenger; the names of its columns are nobody's.
package struct TrialRow: Decodable, Sendable {
    package let id: UUID
    package let body: String
    package let created: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, body
        case created = "created_at"
    }

    package var createdAt: Date { Date(microseconds: created.microseconds) }

    /// The message as a service has it that orders by time.
    package func message(in conversationID: UUID, from senderID: UUID = .ben) -> Message {
        Message(
            id: id, conversationID: conversationID, senderID: senderID, body: body, createdAt: createdAt,
            position: created.microseconds, version: created.microseconds)
    }
}

extension TrialRow {
    /// T01: seventy messages of one instant, in no order.
    package static func tied() throws -> [TrialRow] { try read(PackageResources.T01_tie70_json) }

    /// T04: a message every half hour over both nights of 2031 in which the clocks of Berlin change, the autumn first.
    package static func overClockChanges() throws -> [TrialRow] { try read(PackageResources.T04_dst_json) }

    private static func read(_ bytes: [UInt8]) throws -> [TrialRow] {
        try JSONDecoder().decode([TrialRow].self, from: Data(bytes))
    }
}

/// T09: what TDLib tells while a message is sent, in the words of its JSON.
package struct TelegramTold: Decodable, Sendable {
    package struct Message: Decodable, Sendable {
        package let id: Int64
        package let date: Int64
        package let content: Content
        private let sendingState: SendingState?

        package var isPending: Bool { sendingState != nil }

        private struct SendingState: Decodable, Sendable {}
        private enum CodingKeys: String, CodingKey {
            case id, date, content
            case sendingState = "sending_state"
        }
    }
    package struct Content: Decodable, Sendable {
        package struct Formatted: Decodable, Sendable { package let text: String }
        package let text: Formatted
    }

    package let type: String
    package let message: Message?
    /// An answer to `getChatHistory`.
    package let messages: [Message]?
    package let oldID: Int64?

    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case message, messages
        case oldID = "old_message_id"
    }

    package static func whileSending() throws -> [TelegramTold] {
        try JSONDecoder().decode([TelegramTold].self, from: Data(PackageResources.T09_tdsend_json))
    }
}
