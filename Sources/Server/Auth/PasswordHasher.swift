import Networking

/// Hashes and checks passwords, one at a time: each takes tens of megabytes and of milliseconds.
actor PasswordHasher {
    nonisolated let executor = QueueExecutor("pingline.server.passwords")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let cost: PasswordCost
    /// Stands in for the hash of nobody, so that an unknown address takes as long as a wrong password.
    private lazy var nobody = Sodium.hash(password: UUIDText.random(), cost: cost)

    init(cost: PasswordCost) { self.cost = cost }

    func hash(_ password: String) throws(Refusal) -> String {
        guard let hash = Sodium.hash(password: password, cost: cost) else {
            throw Refusal(500, "unexpected_failure", "no memory for a password hash")
        }
        return hash
    }

    /// - Parameter hash: `nil` for an unknown account: takes as long and answers no.
    func matches(_ password: String, _ hash: String?) -> Bool {
        guard let hash else {
            if let nobody { _ = Sodium.matches(password: password, hash: nobody) }
            return false
        }
        return Sodium.matches(password: password, hash: hash)
    }
}
