import FoundationEssentials
import Models

/// One row of the conversation list.
package struct ConversationRow: Hashable, Sendable, Identifiable {
    package let id: ConversationRef
    /// The account's name where several are open and it is not the first; untrusted text.
    package var accountLabel: String?
    package var conversation: Conversation
    /// The own user id in that account, to tell own messages.
    package var ownID: UUID?
    /// Who wrote the last message of a group, once that is known; untrusted text.
    package var lastSender: String?

    package init(
        id: ConversationRef, accountLabel: String? = nil, conversation: Conversation, ownID: UUID? = nil,
        lastSender: String? = nil
    ) {
        self.id = id
        self.accountLabel = accountLabel
        self.conversation = conversation
        self.ownID = ownID
        self.lastSender = lastSender
    }

    /// What the list calls it: `Telegram/Dana`.
    package var name: String {
        accountLabel.map { "\($0)/\(conversation.title)" } ?? conversation.title
    }
}

/// Everything the list pane shows.
package struct ConversationListState: Equatable, Sendable {
    /// Of all accounts, pinned ones first, then newest activity first; filtered.
    package var rows: [ConversationRow] = []
    package var selection: ConversationRef?
    /// Only rows whose name has it are shown; empty shows all.
    package var filter = TextBuffer()
    /// Whether keys go to the filter.
    package var isFiltering = false
    /// Messages of others that were not read, in all conversations, also those that the filter hides.
    package var unreadTotal = 0
    /// Whether every account has told its conversations once.
    package var isLoaded = false

    package init() {}

    package var selectedIndex: Int? {
        selection.flatMap { selection in rows.firstIndex { $0.id == selection } }
    }
    package var selectedRow: ConversationRow? { selectedIndex.map { rows[$0] } }
}
