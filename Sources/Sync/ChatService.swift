import FoundationEssentials
import Models

/// The engine's face: everything a screen may ask about one account.
///
/// State streams replay the current value and keep only the newest one; event streams drop nothing. Each may have
/// any number of subscribers, and a subscriber that ends leaves nothing behind.
package protocol ChatService: Sendable {
    var account: AccountID { get }

    // MARK: Account and link

    /// The signed-in person; the names are empty until they were loaded once.
    func profile() async -> AsyncStream<Person>
    func connectionStatus() async -> AsyncStream<ConnectionStatus>
    func linkDetail() async -> AsyncStream<LinkDetail>
    /// Things to tell once: back online, a store that cannot write, a session that ended.
    func notices() async -> AsyncStream<ServiceNotice>
    /// Tries at once instead of waiting out the countdown.
    func reconnectNow() async

    // MARK: Conversations

    /// All conversations this account is in, newest activity first.
    func conversations() async -> AsyncStream<[Conversation]>
    /// Everybody in the conversation, with names and marks; loaded from the service while somebody listens.
    func members(of conversationID: UUID) async -> AsyncStream<[Member]>
    /// Finds people by the beginning of a user name or a part of a display name; 2 characters or more.
    func people(matching query: String) async throws(ChatError) -> [Person]
    /// - Returns: The id of the new conversation, or of the one that the same two people have already.
    func startConversation(with people: [UUID], title: String?, isGroup: Bool) async throws(ChatError) -> UUID
    func addMembers(_ people: [UUID], to conversationID: UUID) async throws(ChatError)
    func leaveConversation(_ conversationID: UUID) async throws(ChatError)

    // MARK: One thread

    /// Follows a conversation: the newest stored page first (oldest of it first), then every message that is
    /// added or changed, each as it is now. Ends by being dropped, which also leaves the conversation's channel.
    func messageStream(for conversationID: UUID) async -> AsyncStream<Message>
    /// The same in two parts, for a screen: what is there can be drawn in one piece. It also hears what goes.
    func openThread(_ conversationID: UUID) async -> OpenThread
    /// What else happens in an open thread. Yields the current typing, presence and gaps first.
    func threadNews(for conversationID: UUID) async -> AsyncStream<ThreadNews>
    /// Loads messages older than `anchor`: from the store, and from the service where the store has a hole.
    /// - Returns: Oldest first, at most `limit` (1...200).
    func olderMessages(in conversationID: UUID, before anchor: Message, limit: Int)
        async throws(ChatError) -> HistoryPage
    /// Loads the messages around one, oldest first, without a hole between them. What is missing between it and
    /// the newest ones is fetched first.
    /// - Returns: Empty when there is no such message, or it is too far back to be reached at once.
    func messages(around messageID: UUID, in conversationID: UUID, limit: Int) async throws(ChatError)
        -> [Message]
    /// One message as it is now, wherever it is; nothing is kept.
    /// - Returns: `nil` when there is none that this account may see.
    func message(_ id: UUID, in conversationID: UUID) async throws(ChatError) -> Message?

    // MARK: Writing

    /// Keeps the message and its place in the outbox in one transaction, then shows and sends it.
    /// - Parameter file: It is uploaded first, and the text may be empty then. Its copy is the engine's from now on.
    /// - Throws: `.store` when it could not be kept: then nothing was sent and the text is still the caller's.
    @discardableResult
    func send(_ body: String, in conversationID: UUID, replyTo: UUID?, file: OutgoingFile?)
        async throws(ChatError) -> Message
    /// The uploads under way, by message.
    func transfers() async -> AsyncStream<[UUID: TransferProgress]>
    func edit(_ messageID: UUID, in conversationID: UUID, body: String) async throws(ChatError)
    func delete(_ messageID: UUID, in conversationID: UUID) async throws(ChatError)
    /// Puts an own reaction on a message or takes it off, whatever form of the symbol is there. Of quick changes only
    /// the last one counts, and those that bring back what was are not sent at all.
    /// - Parameter isOn: `nil` turns it into the opposite of what it is: of many such calls each one counts.
    func react(to messageID: UUID, in conversationID: UUID, symbol: String, isOn: Bool?)
        async throws(ChatError)
    /// Sends a failed message, or the refused edit of one, again, under the same id.
    func retry(_ messageID: UUID) async throws(ChatError)
    /// Forgets a failed or waiting message, or the refused edit of one, for good.
    func drop(_ messageID: UUID) async throws(ChatError)
    /// Forgets it too, but what was typed becomes the beginning of the conversation's draft in the same step.
    /// - Returns: What the composer gets; `nil` when there is no such message.
    func takeBack(_ messageID: UUID) async throws(ChatError) -> TakenBack?
    /// Everything in the outbox, in its order; what was refused stands in its old place.
    func outboxEntries() async -> AsyncStream<[OutboxEntry]>
    /// Takes back a waiting edit, delete or reaction; one on its way now may be done all the same.
    /// - Returns: Whether it still waited.
    @discardableResult
    func cancel(_ operation: OutboxEntry.ID) async throws(ChatError) -> Bool
    /// Retries everything that was refused, but for messages that may have been sent already.
    /// - Returns: How many operations.
    func retryFailed() async throws(ChatError) -> Int
    /// Drops everything that was refused.
    /// - Returns: What was typed in it.
    func dropFailed() async throws(ChatError) -> [String]
    /// Moves the own read mark up to the message; it never moves back.
    func markRead(upTo messageID: UUID, in conversationID: UUID) async throws(ChatError)
    /// Marks a conversation as one to come back to, on this device, until it is read. No count changes, and the
    /// service hears nothing of it: its read marks never move back.
    func markUnread(_ conversationID: UUID) async throws(ChatError)
    /// Says that this person types, or stopped. Called as often as keys are pressed; sent sparingly.
    func setTyping(_ isTyping: Bool, in conversationID: UUID) async

    /// The text left in the composer; empty when there is none.
    func draft(in conversationID: UUID) async -> String
    func saveDraft(_ text: String, in conversationID: UUID) async throws(ChatError)
}

extension ChatService {
    @discardableResult
    package func send(_ body: String, in conversationID: UUID, replyTo: UUID?) async throws(ChatError)
        -> Message
    {
        try await send(body, in: conversationID, replyTo: replyTo, file: nil)
    }
}

/// What happens in a thread beside its messages.
package enum ThreadNews: Sendable, Hashable {
    /// Who types now, oneself never; the whole truth.
    case typing([UUID])
    /// Who is present now, oneself included; the whole truth.
    case present(Set<UUID>)
    /// Messages before the position are missing here and being fetched; `nil`: nothing is missing any more.
    case gap(before: Int64?)
}

/// A page of older messages.
package struct HistoryPage: Sendable, Hashable {
    /// Oldest first.
    package var messages: [Message]
    /// Nothing older exists.
    package var reachedBeginning: Bool

    package init(messages: [Message], reachedBeginning: Bool) {
        self.messages = messages
        self.reachedBeginning = reachedBeginning
    }
}

/// Something to tell the user once.
package enum ServiceNotice: Sendable, Hashable {
    /// The link stands again: how many waiting operations went out, and how many messages came.
    case backOnline(sent: Int, received: Int)
    case signedOut
    /// The service refused an edit, a delete or a reaction; the message looks as the service has it again.
    /// - `keepsText`: It was an edit, whose text stays in the outbox.
    case changeRefused(SendError, keepsText: Bool)
    /// The store cannot keep something; what is in memory stays.
    case storeTrouble(StoreError)
    /// A message of somebody else came in, for a bell or a notification; `isOpen` threads need none.
    case incoming(Message)
}

/// Why the engine could not do what was asked.
package enum ChatError: Error, Hashable, Sendable {
    case store(StoreError)
    case service(ServiceFailure)

    package var userCopy: UserCopy {
        switch self {
        case .store(let error): error.userCopy
        case .service(let failure): failure.userCopy
        }
    }
}

/// A service's refusal with its words, for screens that do not know the services.
package struct ServiceFailure: Sendable, Hashable {
    package let userCopy: UserCopy
    /// Whether the same may succeed later, unchanged.
    package let isTransient: Bool
    /// How long the service asked to be left alone; `nil` when it did not.
    package let retryAfter: Duration?

    package init(userCopy: UserCopy, isTransient: Bool, retryAfter: Duration? = nil) {
        self.userCopy = userCopy
        self.isTransient = isTransient
        self.retryAfter = retryAfter
    }
}
