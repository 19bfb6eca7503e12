import FoundationEssentials
import Models
import Store

/// Who follows one conversation, and what they see beside its messages.
struct ThreadSubscribers {
    /// Where the changes of a thread go.
    enum Sink {
        /// An `openThread`.
        case changes(AsyncStream<ThreadChange>.Continuation)
        /// A `messageStream`, which knows of no end of a message.
        case messages(AsyncStream<Message>.Continuation)

        fileprivate func yield(_ change: ThreadChange) {
            switch (self, change) {
            case (.changes(let continuation), _): continuation.yield(change)
            case (.messages(let continuation), .message(let message)): continuation.yield(message)
            case (.messages, .gone): break
            }
        }

        fileprivate func finish() {
            switch self {
            case .changes(let continuation): continuation.finish()
            case .messages(let continuation): continuation.finish()
            }
        }
    }

    /// What was committed before its first page was read is in the page.
    private struct Reader {
        let sink: Sink
        var pageRevision: Int64?
        var early: [Early] = []
    }

    /// What was committed before the first page was there.
    private struct Early {
        let revision: Int64
        let changes: [ThreadChange]
    }

    private var readers: [Int: Reader] = [:]
    private var listeners: [Int: AsyncStream<ThreadNews>.Continuation] = [:]
    private(set) var gap: Int64?
    private var gapRevision: Int64 = 0

    var typing: [UUID] = [] {
        didSet { if typing != oldValue { tell(.typing(typing)) } }
    }
    var present: Set<UUID> = [] {
        didSet { if present != oldValue { tell(.present(present)) } }
    }

    var isEmpty: Bool { readers.isEmpty && listeners.isEmpty }
    /// Whether somebody reads the messages, and not only the list holds the channel.
    var isRead: Bool { !readers.isEmpty }

    mutating func add(_ sink: Sink, as number: Int) { readers[number] = Reader(sink: sink) }

    mutating func add(_ continuation: AsyncStream<ThreadNews>.Continuation, as number: Int) {
        listeners[number] = continuation
        continuation.yield(.typing(typing))
        continuation.yield(.present(present))
        continuation.yield(.gap(before: gap))
    }

    mutating func remove(_ number: Int) {
        readers[number] = nil
        listeners[number] = nil
    }

    /// From now on a reader gets every change.
    /// - Returns: What comes before them: the page, then what was committed after it was read.
    mutating func begin(_ number: Int, with page: MessagePage) -> [Message] {
        guard var reader = readers[number] else { return [] }
        let early = reader.early.filter { $0.revision > page.revision }.flatMap(\.changes)
        reader.early = []
        reader.pageRevision = page.revision
        readers[number] = reader
        var messages = page.messages
        for change in early {
            switch change {
            case .message(let message):
                // What was shown from memory may be older than what the store took since.
                let isOld = page.messages.contains { $0.id == message.id && $0.version > message.version }
                if !isOld { messages.append(message) }
            case .gone(let id): messages.removeAll { $0.id == id }
            }
        }
        return messages
    }

    /// The first page of one reader, where it comes late.
    func send(_ page: [Message], to number: Int) {
        for message in page { readers[number]?.sink.yield(.message(message)) }
    }

    mutating func show(_ changes: [ThreadChange], revision: Int64) {
        // By number and not over the dictionary itself, which changes on the way.
        for number in readers.keys.sorted() {
            guard let reader = readers[number] else { continue }
            guard let pageRevision = reader.pageRevision else {
                readers[number]?.early.append(Early(revision: revision, changes: changes))
                continue
            }
            guard revision > pageRevision else { continue }
            for change in changes { reader.sink.yield(change) }
        }
    }

    /// - Parameter revision: Of the store when it was so: what was read before a change may be told after it.
    mutating func setGap(_ position: Int64?, revision: Int64) {
        guard revision >= gapRevision else { return }
        gapRevision = revision
        guard gap != position else { return }
        gap = position
        tell(.gap(before: position))
    }

    func tell(_ news: ThreadNews) {
        for listener in listeners.values { listener.yield(news) }
    }

    func finish() {
        for reader in readers.values { reader.sink.finish() }
        for listener in listeners.values { listener.finish() }
    }
}
