import CCrypto
import FoundationEssentials

/// A SHA-256 fed in parts, for files that should not be held in memory whole.
///
/// Not thread-safe: it belongs to the one who feeds it.
package final class SHA256Stream {
    private let state: OpaquePointer?
    private var isFinished = false

    package init() {
        state = pl_sha256_new()
        precondition(state != nil, "no memory for a digest")
    }

    deinit {
        pl_sha256_free(state)
    }

    /// Adds bytes. Nothing may be added after `finish()`.
    package func update(_ bytes: some ContiguousBytes) {
        precondition(!isFinished, "the digest is finished")
        let done = bytes.withUnsafeBytes { pl_sha256_update(state, $0.baseAddress, $0.count) }
        precondition(done == 1, "libcrypto failed to add to a digest")
    }

    /// The digest of all bytes added, 32 bytes. May be called once.
    package func finish() -> [UInt8] {
        precondition(!isFinished, "the digest is finished")
        isFinished = true
        var out = [UInt8](repeating: 0, count: 32)
        let done = pl_sha256_finish(state, &out)
        precondition(done == 1, "libcrypto failed to finish a digest")
        return out
    }
}
