import FoundationEssentials
import Models
import Sync

/// What stands at the lower edge of the thread pane.
package enum ThreadScroll: Hashable, Sendable {
    /// The newest message, whichever that becomes.
    case newest
    /// A message, with some of its rows below the edge. It stays there whatever comes in above or below.
    case at(UUID, rowsBelow: Int)

    package var messageID: UUID? {
        if case .at(let id, _) = self { id } else { nil }
    }
}

/// Everything the thread pane shows. A plain value: a test writes one down and draws it.
package struct ThreadState: Equatable, Sendable {
    package var conversation: Conversation
    /// Whose messages are ours; `nil` until the profile was loaded once.
    package var ownID: UUID?
    /// Who is or was in the conversation, with their marks.
    package var members: [Member] = []
    /// The same people by their id.
    package var people: [UUID: Person] = [:]
    package var window = MessageWindow()
    package var scroll = ThreadScroll.newest
    /// The picked message.
    package var selection: UUID?
    /// Who types now, in the order of the service; oneself never.
    package var typing: [UUID] = []
    package var present: Set<UUID> = []
    /// Messages before the position are missing here.
    package var gapBefore: Int64?
    /// The "new" rule stands before the first message of others past this position; `nil`: there is none.
    package var unreadAfter: Int64?
    /// Messages of others that came while the newest ones were out of sight.
    package var newBelow = 0
    package var isLoadingOlder = false
    /// The last try to load older messages failed.
    package var didOlderFail = false
    /// The service asked to be left alone for a while; then they are loaded by themselves.
    package var isOlderPaused = false
    /// Files on their way out, by message.
    package var transfers: [UUID: TransferProgress] = [:]
    package var pictures = ThreadPictures()
    /// Quoted messages that are not in the window.
    package var quoted: [UUID: Message] = [:]

    package init(conversation: Conversation) { self.conversation = conversation }

    package var selectedMessage: Message? { selection.flatMap { window[$0] } }

    /// Whether the newest message stands at the lower edge.
    package var showsNewest: Bool {
        switch scroll {
        case .newest: true
        case .at(let id, let below): below == 0 && !window.hasNewer && id == window.messages.last?.id
        }
    }

    package func isOwn(_ message: Message) -> Bool { ownID != nil && message.senderID == ownID }

    /// A message that others quote, if it is at hand.
    package func quotedMessage(_ id: UUID) -> Message? { window[id] ?? quoted[id] }
}
