import FoundationEssentials
import Models

/// A place among the confirmed messages of a thread: by position, then id.
package struct ThreadKey: Sendable, Hashable, Comparable {
    package let position: Int64
    package let id: UUID

    package init(position: Int64, id: UUID) {
        self.position = position
        self.id = id
    }

    /// `nil` while the message waits.
    package init?(_ message: Message) {
        guard let position = message.position else { return nil }
        self.init(position: position, id: message.id)
    }

    /// Past every message.
    static let end = ThreadKey(position: .max, id: UUID(uuid: greatestUUID))
    /// Before every message.
    static let start = ThreadKey(position: .min, id: UUID(uuid: leastUUID))

    package static func < (left: ThreadKey, right: ThreadKey) -> Bool {
        left.position == right.position ? left.id < right.id : left.position < right.position
    }
}

private let greatestUUID: uuid_t = (
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
)
private let leastUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
