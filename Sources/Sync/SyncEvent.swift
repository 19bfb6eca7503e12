import Backend
import FoundationEssentials
import Models
import Store

/// What `SyncCore` hears.
package enum SyncEvent: Sendable {
    case started
    /// `connect` came back; the change feed is not attached yet.
    case linkOpened
    case linkFailed(BackendError)
    case live
    case feedLost
    case linkEnded(LinkProblem)
    /// The countdown is over.
    case retryDue
    /// The user, the end of a sleep or another network wants it now.
    case reconnect

    /// A page of the conversation list is stored; `cursors` are those held for its rows.
    case heads([ConversationHead], cursors: [UUID: SyncCursor])
    case headsFailed(BackendError)
    case changes(UUID, ChangePage)
    case newest(UUID, [MessageChange])
    /// What the job wanted kept is on the disk.
    case kept(UUID)
    case jobFailed(UUID, BackendError)
    case keepFailed(UUID)

    /// Live rows are stored: the greatest version of each conversation.
    case liveRows(versions: [UUID: Int64])
    /// New messages are shown: who wrote in each conversation.
    case heard([UUID: Set<UUID>])
    /// Live rows could not be stored, or belong to a conversation that is not on the list.
    case listDoubted
    case conversationNotice(UUID, SyncCursor?)
    case typing(UUID, userID: UUID, isTyping: Bool)
    case presence(UUID, Set<UUID>)

    /// The conversations on the list, newest activity first.
    case list([UUID])
    case opened(UUID)
    case closed(UUID)
    case typed(UUID, isTyping: Bool)
    /// A message was typed to its end: that the typing is over needs no word of its own.
    case wrote(UUID)

    /// Something was put into the outbox of a conversation.
    case enqueued(UUID)
    /// Everything in which something waits, read after the link came up.
    case waiting([UUID])
    case delivered(UUID, Delivery)
    /// The moment of `nextDeadline` came.
    case tick
}

/// What `SyncCore` wants done.
package enum SyncEffect: Sendable, Equatable {
    case connect
    case closeLink
    /// The link looks alive; has the service say so.
    case checkLink
    case markConnecting
    case markConnected
    case markDisconnected(LinkProblem, attempt: Int)
    /// Counts down, then answers `.retryDue`; a later `connect` cancels it.
    case reconnect(after: Duration)

    /// Answers that are still under way belong to a link that is gone: they must not be told.
    case forgetFetches
    case fetchHeads(before: ConversationHead?)
    case fetchChanges(UUID, after: SyncCursor, page: ChangePageToken?)
    case fetchNewest(UUID)
    case fetchMembers(UUID)
    /// Asks whether this account is still in the conversation.
    case checkMembership(UUID)
    case keepFirstPage(UUID, [MessageChange], SyncCursor)
    case keepNewestPage(UUID, [MessageChange])
    case keepChanges(UUID, [ChangePage])
    case completeCatchUp(UUID, [ChangePage], SyncCursor)

    /// Answers `.waiting`.
    case findWaiting
    case deliver(UUID)
    case hold(Set<UUID>)
    case sendTyping(UUID, isTyping: Bool)
    case showTyping(UUID, [UUID])
    case showPresence(UUID, Set<UUID>)
    case tellSignedOut
    /// Everything that waited went out and everything that was missed came in.
    case tellBackOnline
}
