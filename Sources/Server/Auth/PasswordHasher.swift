import Networking
import Synchronization

/// Hashes and checks passwords, one at a time: each takes tens of megabytes and of milliseconds.
actor PasswordHasher {
    nonisolated let executor = QueueExecutor("pingline.server.passwords")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Calls that wait or run. More are told to come again: each would wait longer than its client does.
    private static let queueLimit = 64
    private nonisolated let queue = Mutex(0)
    private let cost: PasswordCost
    /// Stands in for the hash of nobody, so that an unknown address takes as long as a wrong password.
    private lazy var nobody = Sodium.hash(password: UUIDText.random(), cost: cost)

    init(cost: PasswordCost) { self.cost = cost }

    nonisolated func hash(_ password: String) async throws(Refusal) -> String {
        try enter()
        defer { leave() }
        guard let hash = await computed(password) else {
            throw Refusal(500, "unexpected_failure", "no memory for a password hash")
        }
        return hash
    }

    /// - Parameter hash: `nil` for an unknown account: takes as long and answers no.
    nonisolated func matches(_ password: String, _ hash: String?) async throws(Refusal) -> Bool {
        try enter()
        defer { leave() }
        return await compared(password, hash)
    }

    private func computed(_ password: String) -> String? { Sodium.hash(password: password, cost: cost) }

    private func compared(_ password: String, _ hash: String?) -> Bool {
        guard let hash else {
            if let nobody { _ = Sodium.matches(password: password, hash: nobody) }
            return false
        }
        return Sodium.matches(password: password, hash: hash)
    }

    private nonisolated func enter() throws(Refusal) {
        let hasRoom = queue.withLock { count in
            guard count < Self.queueLimit else { return false }
            count += 1
            return true
        }
        guard hasRoom else {
            var refusal = Refusal(429, "over_request_rate_limit", "Request rate limit reached")
            refusal.retryAfter = 1
            throw refusal
        }
    }

    private nonisolated func leave() { queue.withLock { $0 -= 1 } }
}
