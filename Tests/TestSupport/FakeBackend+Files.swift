import Backend
import FoundationEssentials
import Glibc
import Models
import Synchronization

extension FakeBackend {
    // MARK: Orders

    package func planUploads(_ faults: UploadFault...) { state.withLock { $0.uploadFaults += faults } }
    /// Uploads wait at the gate before they reach the server.
    package func holdUploads(at gate: Gate?) { state.withLock { $0.uploadGate = gate } }
    /// The next fetches lose the link after so many bytes each.
    package func cutFetches(after counts: Int...) { state.withLock { $0.fetchCuts += counts } }

    /// The next fetches bring these bytes and call them the rest of the file.
    package func lieInFetches(_ bytes: Data...) { state.withLock { $0.fetchLies += bytes } }

    // MARK: What happened

    package var uploads: [FileUpload] { state.withLock { $0.uploads } }
    package var fetchOffsets: [Int64] { state.withLock { $0.fetchOffsets } }

    // MARK: ChatBackend

    package func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome {
        let (fault, gate): (UploadFault?, Gate?) = state.withLock { state in
            state.uploads.append(file)
            if state.isSignedOut { return (.answer(.waitForSignIn), state.uploadGate) }
            return (state.uploadFaults.isEmpty ? nil : state.uploadFaults.removeFirst(), state.uploadGate)
        }
        progress(file.size / 2)
        await gate?.pass()
        if case .answer(let outcome) = fault { return outcome }
        // A file that cannot be read is refused, as by the real one.
        guard let bytes = try? Data(contentsOf: URL(filePath: file.localPath)) else {
            return .refused(.fileUnreadable)
        }
        let path = "\(file.conversationID.text)/\(file.messageID.text)/file"
        let isOurs = server.state.withLock { state in
            if let held = state.files[path] { return held.sha256 == file.sha256 }
            state.files[path] = (bytes, file.sha256, userID)
            return true
        }
        if fault == .lostAnswer { return .wait(after: nil, because: .timedOut) }
        return isOurs ? .stored(path: path) : .refused(.refused(code: "Duplicate"))
    }

    package func remoteFile(at path: String) async throws(BackendError) -> RemoteFile {
        try mayRead("remoteFile")
        guard let bytes = server.files[path] else { throw .notFound }
        let sha256 = server.state.withLock { $0.files[path]?.sha256 }
        return RemoteFile(
            size: Int64(bytes.count), version: String(bytes.hashValue),
            sha256: sha256?.count == 64 ? sha256 : nil)
    }

    package func fetch(
        _ path: String, _ version: RemoteFile, onto localPath: String, from offset: Int64,
        progress: @escaping FileProgress
    ) async throws(BackendError) -> FetchedPart {
        let (cut, lie): (Int?, Data?) = state.withLock { state in
            state.fetchOffsets.append(offset)
            return (
                state.fetchCuts.isEmpty ? nil : state.fetchCuts.removeFirst(),
                state.fetchLies.isEmpty ? nil : state.fetchLies.removeFirst()
            )
        }
        if let lie {
            try Self.append(lie, to: localPath)
            return .rest
        }
        guard let bytes = server.files[path] else { throw .notFound }
        guard version.version == String(bytes.hashValue) else { return .nothingOfUse }
        let rest = bytes.dropFirst(Int(offset))
        let part = cut.map { rest.prefix($0) } ?? rest
        try Self.append(part, to: localPath)
        progress(Int64(part.count))
        if cut != nil { throw .offline(.lost) }
        return .rest
    }

    private static func append(_ bytes: Data, to path: String) throws(BackendError) {
        guard let file = fopen(path, "ae") else { throw .localFile(code: errno) }
        defer { fclose(file) }
        let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard written == bytes.count else { throw .localFile(code: ENOSPC) }
    }

    package func sharedLink(to path: String, lifetime: Duration) async throws(BackendError) -> URL {
        guard server.files[path] != nil, let url = URL(string: "https://chat.example.test/" + path) else {
            throw .notFound
        }
        return url
    }
}
