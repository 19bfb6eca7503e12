import FoundationEssentials
import Models

/// A thread as it is stored, and what happens in it from then on; nothing is missing in between.
package struct OpenThread: Sendable {
    /// The newest stored page, oldest first; of two with the same id the later one counts.
    package let page: [Message]
    /// Every change of its messages, in the order of the commits. Dropping it leaves the conversation's channel.
    package let changes: AsyncStream<ThreadChange>

    package init(page: [Message], changes: AsyncStream<ThreadChange>) {
        self.page = page
        self.changes = changes
    }
}

/// What happens to a message of an open thread. Both kinds come by one stream: by two of them a message that is gone
/// could come after its end, and stay.
package enum ThreadChange: Sendable, Hashable {
    /// Added or changed, as it is then.
    case message(Message)
    /// It is gone: dropped here, or removed at the service.
    case gone(UUID)
}
