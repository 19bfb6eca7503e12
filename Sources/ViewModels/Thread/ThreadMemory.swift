import FoundationEssentials
import Models

/// What is remembered of threads that were left, so that going back to one shows it within the same frame.
///
/// It is shown only until the stored page is there, some milliseconds later, and not at all when the list knows of
/// a newer message. What others do now, typing or looking, is never remembered.
struct ThreadMemory {
    struct Thread {
        let window: MessageWindow
        let members: [Member]
        let people: [UUID: Person]

        /// - Returns: `nil` when the newest messages are not in the window.
        init?(_ state: ThreadState) {
            guard let window = state.window.newestOnly(ThreadMemory.messageLimit) else { return nil }
            (self.window, members, people) = (window, state.members, state.people)
        }
    }

    /// Threads remembered; the one left longest ago is forgotten first.
    static let limit = 16
    /// Messages of each.
    static let messageLimit = 100

    private var threads: [ConversationRef: Thread] = [:]
    /// The one left last is at the end.
    private var order: [ConversationRef] = []

    mutating func keep(_ state: ThreadState, as ref: ConversationRef) {
        order.removeAll { $0 == ref }
        guard let thread = Thread(state) else {
            threads[ref] = nil
            return
        }
        threads[ref] = thread
        order.append(ref)
        if order.count > Self.limit { threads[order.removeFirst()] = nil }
    }

    /// - Returns: `nil` when nothing is known, or something newer than what is.
    func thread(_ ref: ConversationRef, of conversation: Conversation) -> Thread? {
        guard let thread = threads[ref], thread.window.newest?.id == conversation.lastMessage?.id else {
            return nil
        }
        return thread
    }

    mutating func forget(_ isMeant: (ConversationRef) -> Bool) {
        order.removeAll(where: isMeant)
        threads = threads.filter { !isMeant($0.key) }
    }
}
