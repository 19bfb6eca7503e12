import FoundationEssentials
import Glibc
import PrivateFiles

/// Secrets in one file of the account's folder: `secrets.json`, for its owner only from its first byte on.
///
/// A change replaces the file as a whole: a crash leaves the old one or the new one. Any number of processes
/// may use one folder; a change and a lock each have a lock file of their own there, which is never removed.
package actor FileSecretStore: SecretStore {
    private let folder: String
    private let pause: @Sendable (Duration) async -> Void
    private var path: String { folder + "/secrets.json" }

    /// - Parameters:
    ///   - folder: Must be there. It and the file are closed to others when they are found open.
    ///   - pause: Waits between two looks at a lock that somebody holds; returns early when cancelled.
    package init(
        folder: String,
        pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }  // cancelled
    ) {
        self.folder = folder
        self.pause = pause
    }

    package func value(for name: SecretName) throws(SecretError) -> String? {
        try read().secrets[name.rawValue]
    }

    package func set(_ value: String?, for name: SecretName) async throws(SecretError) {
        let lock = try await lock(Self.writing, patience: .seconds(5))
        defer { lock.release() }
        var file = try read()
        guard file.secrets[name.rawValue] != value else { return }
        file.secrets[name.rawValue] = value
        let bytes = try Self.encode(file)
        do throws(PrivateFileError) {
            try PrivateFile.replace(path, with: bytes)
        } catch { throw SecretError(writing: error) }
    }

    package func lock(_ name: SecretName, patience: Duration) async throws(SecretError) -> SecretLock {
        let descriptor: Int32
        do throws(PrivateFileError) {
            descriptor = try PrivateFile.openLock(folder + "/" + name.rawValue + ".lock")
        } catch { throw SecretError(writing: error) }
        let lock = SecretLock(descriptor)
        var waited = Duration.zero
        var step = Duration.milliseconds(5)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .failed(code: errno) }
            guard waited < patience, !Task.isCancelled else { throw .busy }
            await pause(step)
            waited += step
            step = min(step * 2, .milliseconds(100))
        }
        return lock
    }

    private static let writing = SecretName(rawValue: "secrets")

    private func read() throws(SecretError) -> Contents {
        _ = try? PrivateFolder.closeToOthers(folder)  // the read that follows says what is wrong
        guard let bytes = try bytes() else { return Contents() }
        let contents: Contents
        do {
            contents = try JSONDecoder().decode(Contents.self, from: bytes)
        } catch {
            // A later version may have another shape, but has a number; anything else is no file of ours.
            let later = try? JSONDecoder().decode(Version.self, from: bytes)
            if let later, later.version > Contents.currentVersion { throw .tooNew }
            throw .damaged(setAside: PrivateFile.setAside(path))
        }
        guard contents.version <= Contents.currentVersion else { throw .tooNew }
        return contents
    }

    private func bytes() throws(SecretError) -> Data? {
        do throws(PrivateFileError) {
            return try PrivateFile.read(path)
        } catch {
            switch error {
            case .tooLong: throw .damaged(setAside: PrivateFile.setAside(path))
            case .notOurs: throw .notReadable(code: EPERM)
            case .failed(_, let code): throw .notReadable(code: code)
            }
        }
    }

    private static func encode(_ contents: Contents) throws(SecretError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(contents) } catch { throw .failed(code: EINVAL) }
    }

    private struct Version: Decodable {
        let version: Int
    }

    private struct Contents: Codable {
        static let currentVersion = 1
        var version = Contents.currentVersion
        var secrets: [String: String] = [:]
    }
}
