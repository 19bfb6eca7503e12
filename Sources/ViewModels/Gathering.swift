import Synchronization

/// Follows a stream away from the main actor and hands over what has gathered, in order.
///
/// A loop over a stream on the main actor gets one element a turn, with a frame painted between any two. Here all
/// that came meanwhile is one change: a page of messages, or a burst of news, is drawn once.
/// - Parameters:
///   - open: Opens the stream; called once. Cancelling the task ends the stream.
///   - deliver: Given what came since its last call, oldest first; never empty.
@concurrent
func gather<Element: Sendable>(
    _ open: @Sendable () async -> AsyncStream<Element>,
    deliver: @escaping @MainActor @Sendable ([Element]) -> Void
) async {
    let gathered = Gathered<Element>()
    let (arrivals, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let delivery = Task { @MainActor in
        for await _ in arrivals {
            let elements = gathered.take()
            if !elements.isEmpty { deliver(elements) }
        }
    }
    await withTaskCancellationHandler {
        for await element in await open() {
            gathered.add(element)
            bell.yield()
        }
        bell.finish()
        await delivery.value
    } onCancel: {
        delivery.cancel()
    }
}

/// What came and was not handed over yet.
private final class Gathered<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    func add(_ element: Element) { elements.withLock { $0.append(element) } }

    func take() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
