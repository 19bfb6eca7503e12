import Secrets
import Synchronization

/// A secrets file whose writes fail on demand.
final class BrokenSecrets: SecretStore {
    private let inner: FileSecretStore
    private let failure = Mutex<SecretError?>(nil)

    init(inner: FileSecretStore) { self.inner = inner }

    var error: SecretError? {
        get { failure.withLock { $0 } }
        set { failure.withLock { $0 = newValue } }
    }

    func value(for name: SecretName) async throws(SecretError) -> String? { try await inner.value(for: name) }

    func set(_ value: String?, for name: SecretName) async throws(SecretError) {
        if let error { throw error }
        try await inner.set(value, for: name)
    }

    func lock(_ name: SecretName, patience: Duration) async throws(SecretError) -> SecretLock {
        if let error { throw error }
        return try await inner.lock(name, patience: patience)
    }
}
