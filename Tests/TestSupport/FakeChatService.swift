import FoundationEssentials
import Models
import Observation
import Sync

/// A scripted engine: a test sends the news and reads what was asked for.
@MainActor @Observable
package final class FakeChatService: ChatService {
    package nonisolated let account: AccountID

    @ObservationIgnored package let profiles = Relay<Person>()
    @ObservationIgnored package let statuses = Relay<ConnectionStatus>()
    @ObservationIgnored package let details = Relay<LinkDetail>()
    @ObservationIgnored package let noticeRelay = Relay<ServiceNotice>(replays: false)
    @ObservationIgnored package let conversationRelay = Relay<[Conversation]>()
    @ObservationIgnored package let memberRelay = Relay<[Member]>()
    @ObservationIgnored package let transferRelay = Relay<[UUID: TransferProgress]>()
    @ObservationIgnored package let newsRelay = Relay<ThreadNews>(replays: false)
    @ObservationIgnored package let outboxRelay = Relay<[OutboxEntry]>()
    @ObservationIgnored private var live: [UUID: Relay<ThreadChange>] = [:]

    /// The whole stored thread, oldest first; the stream begins with its end.
    package var stored: [UUID: [Message]] = [:]
    package var storedDrafts: [UUID: String] = [:]
    package var everybody: [Person] = []
    /// Thrown by every call that may throw, until it is cleared.
    package var error: ChatError?
    package var pageSize = 50
    /// Holds the first page of every thread that is opened.
    package var gate: Gate?

    package struct Sent: Equatable, Sendable {
        package var body: String
        package var conversationID: UUID
        package var replyTo: UUID?
        package var file: OutgoingFile?
    }

    package private(set) var sent: [Sent] = []
    package private(set) var edits: [UUID: String] = [:]
    package internal(set) var deleted: [UUID] = []
    package private(set) var reactions: [String] = []
    package internal(set) var retried: [UUID] = []
    package private(set) var marks: [UUID] = []
    package internal(set) var markedUnread: [UUID] = []
    package internal(set) var cancelled: [Int64] = []
    /// What `takeBack` gives, by message.
    package var takeable: [UUID: TakenBack] = [:]
    /// What was typed in everything that was refused.
    package var refusedTexts: [String] = []
    package private(set) var typing: [Bool] = []
    package private(set) var left: [UUID] = []
    package private(set) var started: [(people: [UUID], title: String?, isGroup: Bool)] = []
    package private(set) var added: [UUID] = []
    package private(set) var reconnects = 0
    package private(set) var olderLoads = 0
    package private(set) var messageLooks = 0

    package init(account: AccountID = .example) { self.account = account }

    /// A new or changed message in an open thread.
    package func send(_ message: Message) { relay(message.conversationID).send(.message(message)) }

    /// The end of a message in an open thread.
    package func remove(_ id: UUID, in conversationID: UUID) { relay(conversationID).send(.gone(id)) }

    package func listeners(of conversationID: UUID) -> Int { relay(conversationID).readerCount }

    private func relay(_ id: UUID) -> Relay<ThreadChange> {
        if let relay = live[id] { return relay }
        let relay = Relay<ThreadChange>(replays: false)
        live[id] = relay
        return relay
    }

    func check() throws(ChatError) { if let error { throw error } }

    // MARK: ChatService

    @MainActor package func profile() async -> AsyncStream<Person> { profiles.stream() }
    @MainActor package func connectionStatus() async -> AsyncStream<ConnectionStatus> { statuses.stream() }
    @MainActor package func linkDetail() async -> AsyncStream<LinkDetail> { details.stream() }
    @MainActor package func notices() async -> AsyncStream<ServiceNotice> { noticeRelay.stream() }
    @MainActor package func reconnectNow() async { reconnects += 1 }
    @MainActor package func conversations() async -> AsyncStream<[Conversation]> {
        conversationRelay.stream()
    }
    @MainActor package func members(of conversationID: UUID) async -> AsyncStream<[Member]> {
        memberRelay.stream()
    }
    @MainActor package func threadNews(for conversationID: UUID) async -> AsyncStream<ThreadNews> {
        newsRelay.stream()
    }

    @MainActor package func transfers() async -> AsyncStream<[UUID: TransferProgress]> {
        transferRelay.stream()
    }

    @MainActor package func people(matching query: String) async throws(ChatError) -> [Person] {
        try check()
        return everybody.filter { $0.username.hasPrefix(query) || $0.displayName.contains(query) }
    }

    @MainActor package func startConversation(
        with people: [UUID], title: String?, isGroup: Bool
    ) async throws(ChatError) -> UUID {
        try check()
        started.append((people, title, isGroup))
        return .example(777)
    }

    @MainActor package func addMembers(_ people: [UUID], to conversationID: UUID) async throws(ChatError) {
        try check()
        added += people
    }

    @MainActor package func leaveConversation(_ conversationID: UUID) async throws(ChatError) {
        try check()
        left.append(conversationID)
    }

    @MainActor package func messageStream(for conversationID: UUID) async -> AsyncStream<Message> {
        let (stream, sink) = AsyncStream.makeStream(of: Message.self)
        for message in (stored[conversationID] ?? []).suffix(pageSize) { sink.yield(message) }
        let news = relay(conversationID).stream()
        let forward = Task {
            for await case .message(let message) in news { sink.yield(message) }
            sink.finish()
        }
        sink.onTermination = { _ in forward.cancel() }
        return stream
    }

    @MainActor package func openThread(_ conversationID: UUID) async -> OpenThread {
        let changes = relay(conversationID).stream()
        if let gate { await gate.pass() }
        return OpenThread(page: Array((stored[conversationID] ?? []).suffix(pageSize)), changes: changes)
    }

    @MainActor package func olderMessages(
        in conversationID: UUID, before anchor: Message, limit: Int
    ) async throws(ChatError) -> HistoryPage {
        olderLoads += 1
        try check()
        let older = (stored[conversationID] ?? []).filter { Message.isOrdered($0, before: anchor) }
        return HistoryPage(messages: Array(older.suffix(limit)), reachedBeginning: older.count <= limit)
    }

    @MainActor package func messages(
        around messageID: UUID, in conversationID: UUID, limit: Int
    ) async throws(ChatError) -> [Message] {
        try check()
        let all = stored[conversationID] ?? []
        guard let index = all.firstIndex(where: { $0.id == messageID }) else { return [] }
        let start = max(index - limit / 2, 0)
        return Array(all[start..<min(start + max(limit, 1), all.count)])
    }

    @MainActor package func message(_ id: UUID, in conversationID: UUID) async throws(ChatError) -> Message? {
        messageLooks += 1
        try check()
        return (stored[conversationID] ?? []).first { $0.id == id }
    }

    @discardableResult
    @MainActor package func send(
        _ body: String, in conversationID: UUID, replyTo: UUID?, file: OutgoingFile?
    ) async throws(ChatError) -> Message {
        try check()
        sent.append(Sent(body: body, conversationID: conversationID, replyTo: replyTo, file: file))
        return .waiting(body, order: Int64(sent.count), in: conversationID)
    }

    @MainActor package func edit(_ messageID: UUID, in conversationID: UUID, body: String)
        async throws(ChatError)
    {
        try check()
        edits[messageID] = body
    }

    @MainActor package func delete(_ messageID: UUID, in conversationID: UUID) async throws(ChatError) {
        try check()
        deleted.append(messageID)
    }

    @MainActor package func react(
        to messageID: UUID, in conversationID: UUID, symbol: String, isOn: Bool?
    ) async throws(ChatError) {
        try check()
        reactions.append((isOn.map { $0 ? "+" : "-" } ?? "±") + symbol)
    }

    @MainActor package func markRead(upTo messageID: UUID, in conversationID: UUID) async throws(ChatError) {
        try check()
        marks.append(messageID)
    }

    @MainActor package func setTyping(_ isTyping: Bool, in conversationID: UUID) async {
        typing.append(isTyping)
    }

    @MainActor package func draft(in conversationID: UUID) async -> String {
        storedDrafts[conversationID] ?? ""
    }

    @MainActor package func saveDraft(_ text: String, in conversationID: UUID) async throws(ChatError) {
        try check()
        storedDrafts[conversationID] = text.isEmpty ? nil : text
    }
}
