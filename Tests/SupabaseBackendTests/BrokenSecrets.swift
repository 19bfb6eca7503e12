import Secrets
import Synchronization

/// A secrets file whose writes, or reads, fail on demand.
final class BrokenSecrets: SecretStore {
    private let inner: FileSecretStore
    private let failure = Mutex<(writing: SecretError?, reading: SecretError?)>((nil, nil))

    init(inner: FileSecretStore) { self.inner = inner }

    /// What writing fails with.
    var error: SecretError? {
        get { failure.withLock { $0.writing } }
        set { failure.withLock { $0.writing = newValue } }
    }

    var readError: SecretError? {
        get { failure.withLock { $0.reading } }
        set { failure.withLock { $0.reading = newValue } }
    }

    func value(for name: SecretName) async throws(SecretError) -> String? {
        if let readError { throw readError }
        return try await inner.value(for: name)
    }

    func set(_ value: String?, for name: SecretName) async throws(SecretError) {
        if let error { throw error }
        try await inner.set(value, for: name)
    }

    func lock(_ name: SecretName, patience: Duration) async throws(SecretError) -> SecretLock {
        if let error { throw error }
        return try await inner.lock(name, patience: patience)
    }
}
