/// Rings at the nearest of the deadlines it was given.
///
/// One that rings too early only has the clock looked at, so a deadline that moves away a little costs nothing.
struct LinkAlarm {
    /// A deadline that moved further away sets the alarm anew: a ring for nothing wakes an idle program.
    private static let tolerance = Duration.seconds(2)

    private var task: Task<Void, Never>?
    private var due: Duration?

    /// - Parameters:
    ///   - deadline: In the clock's uptime. One a little later than that already set is left to the ringing.
    ///   - ring: Called once unless a nearer deadline or `cancel` comes first; it has to call `rang`.
    mutating func set(
        for deadline: Duration, by clock: BackendClock, ring: @escaping @Sendable () async -> Void
    ) {
        if let due, due <= deadline, deadline - due <= Self.tolerance { return }
        task?.cancel()
        due = deadline
        let wait = max(deadline - clock.uptime(), .zero)
        task = Task {
            do { try await clock.sleep(wait) } catch { return }  // replaced or over
            await ring()
        }
    }

    /// It rang: the next deadline is a new one, however late.
    mutating func rang() { due = nil }

    mutating func cancel() {
        task?.cancel()
        task = nil
    }
}
