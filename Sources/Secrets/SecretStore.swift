/// Keeps tokens and keys where only their owner can read them.
///
/// Values are small texts under names. A value that was set is on the disk when the call returns.
package protocol SecretStore: Sendable {
    /// - Returns: `nil` when nothing is kept under the name.
    /// - Throws: `.damaged` once for a store that cannot be read; it is set aside then, and the next call
    ///   finds an empty one.
    func value(for name: SecretName) async throws(SecretError) -> String?

    /// Keeps a value in place of the one before, or forgets it when `value` is `nil`. All or nothing.
    func set(_ value: String?, for name: SecretName) async throws(SecretError)

    /// Waits until nobody else, in this process or another, holds the lock of that name.
    /// - Parameter patience: How long to wait at most.
    /// - Throws: `.busy` when the patience is over or the task is cancelled.
    func lock(_ name: SecretName, patience: Duration) async throws(SecretError) -> SecretLock
}

/// What a secret is for. The word is a part of a file name: letters, digits and hyphens.
package struct SecretName: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}
