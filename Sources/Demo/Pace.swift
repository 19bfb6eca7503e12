/// How fast things go, and by whose clock.
struct Pace: Sendable {
    let tempo: Tempo
    /// Throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    /// - Returns: `false` when the task was cancelled meanwhile.
    func wait(_ duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do {
            try await sleep(duration)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}
