import Backend
import Diagnostics
import Digest
import FoundationEssentials
import Glibc
import Models

/// Fetches attachments into folders of the user's. A link that is lost on the way is waited for, and the fetch goes
/// on where it stopped.
package struct FileSaver: Sendable {
    private let backend: any ChatBackend
    private let log: Log
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Tries in a row that bring nothing.
    static let fruitlessTries = 5
    /// Times a file may turn out to be another one while it is fetched.
    static let freshStarts = 3

    /// - Parameter sleep: Waits; throws when the task is cancelled.
    package init(
        _ backend: any ChatBackend, log: Log = .silent,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.backend = backend
        self.log = log.named("files")
        self.sleep = sleep
    }

    /// Saves an attachment under its own name, or the first free numbered one. A file with a real name is whole.
    /// - Parameters:
    ///   - folder: It must exist.
    ///   - fallback: The name of a file whose sender gave none.
    ///   - limit: Most bytes it may have; `nil`: any number.
    ///   - progress: Told the bytes here and the bytes in all.
    /// - Returns: The name the file got.
    @concurrent
    package func save(
        _ attachment: Attachment, in folder: LocalPath, fallback: String, limit: Int64? = nil,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(SaveError) -> String {
        let destination = try await destination(folder)
        let version = try await look(at: attachment.path, limit: limit)
        let part = try await begin(attachment.path, version, in: destination)
        do throws(SaveError) {
            try await fill(part, from: attachment.path, version, limit: limit, in: destination, progress)
            return try await place(
                part, as: AttachmentFileName(attachment.name, fallback: fallback), in: destination)
        } catch {
            // What came so far is gone on with the next time, when there is a next time.
            let size = try local { () throws(DestinationError) in try part.size() }
            if size == 0 || version.sha256 == nil || !error.mayBeGoneOnWith {
                await destination.discard(part)
            }
            throw error
        }
    }

    /// As the other one, for a path that is text.
    package func save(
        _ attachment: Attachment, in folder: String, fallback: String, limit: Int64? = nil,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(SaveError) -> String {
        try await save(
            attachment, in: LocalPath(folder), fallback: fallback, limit: limit, progress: progress)
    }

    // MARK: Fetching

    private enum Attempt: Equatable {
        case whole, useless
        case cut(BackendError)
    }

    private func fill(
        _ part: PartialFile, from path: String, _ announced: RemoteFile, limit: Int64?,
        in destination: DestinationAccess,
        _ progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(SaveError) {
        var version = announced
        let held = try local { () throws(DestinationError) in try part.size() }
        try await checkRoom(for: version.size - held, in: destination)
        var (failures, restarts) = (0, 0)
        while true {
            let before = try local { () throws(DestinationError) in try part.size() }
            let end = try await attempt(path, version, onto: part, from: before, progress)
            let after = try local { () throws(DestinationError) in try part.size() }
            let isWhole = try end == .whole ? isGenuine(part, version, size: after) : false
            switch end {
            case .whole where isWhole: return
            case .whole, .useless:
                restarts += 1
                guard restarts < Self.freshStarts else { throw .service(.unexpected(code: "changing-file")) }
                log.info("fetch starts anew")
                try local { () throws(DestinationError) in try part.empty() }
            case .cut(let error):
                failures = after > before ? 1 : failures + 1
                guard failures < Self.fruitlessTries else { throw .service(error) }
                try await pause(after: failures)
            }
            let now = try await look(at: path, limit: limit)
            if now != version { try local { () throws(DestinationError) in try part.empty() } }
            version = now
        }
    }

    private func attempt(
        _ path: String, _ version: RemoteFile, onto part: PartialFile, from offset: Int64,
        _ progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(SaveError) -> Attempt {
        let total = version.size
        do throws(BackendError) {
            let came = try await backend.fetch(path, version, onto: part.path, from: offset) {
                progress(offset + $0, total)
            }
            return came == .rest ? .whole : .useless
        } catch {
            if Task.isCancelled { throw .cancelled }
            guard error.isTransient else { throw SaveError(error) }
            return .cut(error)
        }
    }

    /// Whether it is what was brought, byte by byte, as far as anybody can say.
    private func isGenuine(_ part: PartialFile, _ version: RemoteFile, size: Int64)
        throws(SaveError) -> Bool
    {
        guard size == version.size else { return false }
        guard let wanted = version.sha256 else { return true }
        return try local { () throws(DestinationError) in try part.sha256() } == wanted
    }

    private func look(at path: String, limit: Int64?) async throws(SaveError) -> RemoteFile {
        var failures = 0
        while true {
            let found: RemoteFile?
            do throws(BackendError) { found = try await backend.remoteFile(at: path) } catch {
                if Task.isCancelled { throw .cancelled }
                failures += 1
                guard error.isTransient, failures < Self.fruitlessTries else { throw SaveError(error) }
                found = nil
            }
            if let found {
                if let limit, found.size > limit { throw .tooLarge(limit: limit) }
                return found
            }
            try await pause(after: failures)
        }
    }

    /// 1, 2, 4, 8 seconds.
    private func pause(after failures: Int) async throws(SaveError) {
        do { try await sleep(.seconds(1 << min(failures - 1, 5))) } catch { throw .cancelled }
    }

    // MARK: The folder

    private func destination(_ folder: LocalPath) async throws(SaveError) -> DestinationAccess {
        do throws(DestinationError) {
            let destination = try DestinationAccess(folder)
            await destination.sweep(now: time(nil))
            return destination
        } catch { throw .destination(error) }
    }

    /// A file whose content can be proved is gone on with where an earlier save of it was stopped.
    private func begin(_ path: String, _ version: RemoteFile, in destination: DestinationAccess)
        async throws(SaveError) -> PartialFile
    {
        let key = version.sha256.map { Hex.encode(Digest.sha256(Array("\(path)\n\($0)".utf8))) }
        do throws(DestinationError) {
            let part = try await destination.begin(key.map { String($0.prefix(32)) })
            if try part.size() > version.size { try part.empty() }
            return part
        } catch { throw .destination(error) }
    }

    private func place(_ part: PartialFile, as name: AttachmentFileName, in destination: DestinationAccess)
        async throws(SaveError) -> String
    {
        do throws(DestinationError) { return try await destination.place(part, as: name) } catch {
            throw .destination(error)
        }
    }

    /// Better told before than after half an hour of fetching.
    private func checkRoom(for size: Int64, in destination: DestinationAccess) async throws(SaveError) {
        if let room = await destination.room(), room < size { throw .destination(.full) }
    }

    private func local<Result>(_ work: () throws(DestinationError) -> Result) throws(SaveError) -> Result {
        do throws(DestinationError) { return try work() } catch { throw .destination(error) }
    }
}
