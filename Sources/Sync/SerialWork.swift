/// Does pieces of work one after another, in the order they were given.
final class SerialWork: Sendable {
    private let continuation: AsyncStream<@Sendable () async -> Void>.Continuation
    private let task: Task<Void, Never>

    init() {
        let (stream, continuation) = AsyncStream<@Sendable () async -> Void>.makeStream()
        self.continuation = continuation
        task = Task { for await work in stream { await work() } }
    }

    func add(_ work: @escaping @Sendable () async -> Void) { continuation.yield(work) }

    /// What was given is still done.
    func close() { continuation.finish() }
}
