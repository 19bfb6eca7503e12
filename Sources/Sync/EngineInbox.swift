import Backend
import Synchronization

/// Collects what the link says until the engine has time for it, so that a burst costs one hop and one
/// transaction and not one for each message.
///
/// What a peer can put in here is limited by the socket reader, which closes a link that is read too slowly.
final class EngineInbox: Sendable {
    /// An event with the number of the link it came by.
    struct Entry: Sendable {
        let link: Int
        let event: LinkEvent
    }

    enum LinkEvent: Sendable {
        case opened
        case failed(BackendError)
        case news(BackendEvent)
    }

    /// Yields when there is something to take; one reader.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let entries = Mutex<[Entry]>([])

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ event: LinkEvent, link: Int) {
        let wasEmpty = entries.withLock { entries in
            defer { entries.append(Entry(link: link, event: event)) }
            return entries.isEmpty
        }
        if wasEmpty { signal.yield() }
    }

    /// Everything that came since the last call, in order.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    func close() { signal.finish() }
}
