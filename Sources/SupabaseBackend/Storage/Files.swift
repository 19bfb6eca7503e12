import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Attachments in the bucket of the wire contract. An object's path is made of ids and an extension, never of a
/// user's own words.
struct Files: Sendable {
    let client: StorageClient

    /// Most bytes of an object, as the bucket is set up.
    static let limit: Int64 = 50 << 20
    private static let bucket = "attachments"
    /// Bytes from which on a connection of its own costs less than sending them a second time.
    private static let worthAConnection: Int64 = 64 << 10
    /// Bytes from which on a server is asked whether it wants them; one that says nothing gets them a second later.
    private static let worthAsking: Int64 = 1 << 20

    // MARK: Up

    func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome {
        guard file.size <= Self.limit else { return .refused(.fileTooLarge(limit: Self.limit)) }
        let path = Self.path(of: file)
        do throws(StorageFailure) {
            if file.wasTried, let outcome = try await earlierTry(of: file, at: path) { return outcome }
            return try await put(file, at: path, progress)
        } catch { return error.uploadOutcome(limit: Self.limit) }
    }

    /// Never with leave to replace: what is under our path already was brought by an earlier try of ours.
    private func put(_ file: FileUpload, at path: String, _ progress: @escaping FileProgress)
        async throws(StorageFailure) -> UploadOutcome
    {
        var request = StorageRequest(method: .post, path: try Self.place("/object/", path))
        request.headers["Content-Type"] = file.mimeType
        request.headers["cache-control"] = "max-age=3600"
        request.headers["x-metadata"] = Data(#"{"sha256":"\#(file.sha256)"}"#.utf8).base64EncodedString()
        request.body = .file(path: file.localPath)
        request.timeout = StorageRequest.fileTimeout
        request.progress = { sent, _ in progress(sent) }
        request.onNewConnection = file.size > Self.worthAConnection
        // What is refused for its head alone is refused before its bytes are sent.
        if file.size > Self.worthAsking { request.headers["Expect"] = "100-continue" }
        do throws(StorageFailure) {
            let answer = try await client.value(request)
            guard answer["Key"]?.string != nil else { throw .unreadable }
        } catch {
            guard case .refused(409, _) = error else { throw error }
            return Self.outcome(of: file, at: path, try await facts(of: path))
        }
        return .stored(path: path)
    }

    /// What an earlier try has left, so that a file is not sent again to be told that it is there.
    /// - Returns: `nil` when it has left nothing.
    private func earlierTry(of file: FileUpload, at path: String)
        async throws(StorageFailure) -> UploadOutcome?
    {
        do throws(StorageFailure) { return Self.outcome(of: file, at: path, try await facts(of: path)) } catch
        {
            guard case .refused(404, _) = error else { throw error }
            return nil
        }
    }

    /// The answer of an earlier try was lost. Its object is ours if it is this file, whole.
    private static func outcome(of file: FileUpload, at path: String, _ facts: JSONValue) -> UploadOutcome {
        let digest = facts["metadata"]?["sha256"]?.string
        guard facts["size"]?.integer == file.size, digest == nil || digest == file.sha256 else {
            return .refused(.refused(code: "Duplicate"))
        }
        return .stored(path: path)
    }

    /// Takes away what this account has brought for a message. The service leaves what is not ours.
    func removeAll(of messageID: UUID, in conversationID: UUID) async -> OperationOutcome {
        do throws(StorageFailure) {
            let folder = "\(conversationID.text)/\(messageID.text)"
            let names = try await names(in: folder)
            if names.isEmpty { return .stored(nil) }
            let removal = try StorageRequest.json(
                .delete, "/object/" + Self.bucket,
                ["prefixes": .array(names.map { .string("\(folder)/\($0)") })])
            _ = try await client.value(removal)
            return .stored(nil)
        } catch { return error.removalOutcome }
    }

    private func names(in folder: String) async throws(StorageFailure) -> [String] {
        let listing = try StorageRequest.json(
            .post, "/object/list/" + Self.bucket,
            ["prefix": .string(folder + "/"), "limit": 100, "offset": 0])
        guard let entries = try await client.value(listing).array else { throw .unreadable }
        return entries.compactMap { $0["name"]?.string }
    }

    // MARK: Down

    func remoteFile(at path: String) async throws(StorageFailure) -> RemoteFile {
        let facts = try await facts(of: path)
        guard let size = facts["size"]?.integer, (0...(1 << 50)).contains(size),
            let version = facts["etag"]?.string ?? facts["version"]?.string
        else { throw .unreadable }
        return RemoteFile(
            size: size, version: version, sha256: Self.digest(facts["metadata"]?["sha256"]?.string))
    }

    /// Somebody else's word: what is no digest is none.
    private static func digest(_ text: String?) -> String? {
        guard let text = text?.lowercased(), text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else {
            return nil
        }
        return text
    }

    func fetch(
        _ path: String, _ version: RemoteFile, onto localPath: String, from offset: Int64,
        progress: @escaping FileProgress
    ) async throws(StorageFailure) -> FetchedPart {
        guard offset < version.size else { return offset == version.size ? .rest : .nothingOfUse }
        var request = StorageRequest(method: .get, path: try Self.place("/object/authenticated/", path))
        if offset > 0 { request.headers["Range"] = "bytes=\(offset)-" }
        request.destination = .file(path: localPath)
        request.responseLimit = Int(version.size - offset)
        request.timeout = StorageRequest.fileTimeout
        request.progress = { _, received in progress(received) }
        let answer: HTTPResponse
        do throws(StorageFailure) { answer = try await client.send(request) } catch {
            switch error {
            // More than was announced, or a range that is not there: another file by now.
            case .link(.unexpected(code: "too-large")), .refused(416, _): return .nothingOfUse
            default: throw error
            }
        }
        // A server that passes over the range sends the whole again, behind what was there.
        guard answer.status == (offset > 0 ? 206 : 200) else { return .nothingOfUse }
        guard let tag = answer.headers["ETag"] else {
            // No object is served as a page: it is the sign-in of some network on the way.
            return ContentKind(of: answer) == .html ? .nothingOfUse : .rest
        }
        return Self.bareTag(tag) == Self.bareTag(version.version) ? .rest : .nothingOfUse
    }

    /// - Returns: An address that needs no sign-in until it ends.
    func sharedLink(to path: String, lifetime: Duration) async throws(StorageFailure) -> URL {
        let seconds = max(lifetime.components.seconds, 1)
        let request = try StorageRequest.json(
            .post, try Self.place("/object/sign/", path), ["expiresIn": .integer(seconds)])
        guard let part = try await client.value(request)["signedURL"]?.string, part.hasPrefix("/"),
            let url = URL(string: client.address.storage(part))
        else { throw .unreadable }
        return url
    }

    private func facts(of path: String) async throws(StorageFailure) -> JSONValue {
        try await client.value(try .json(.get, try Self.place("/object/info/", path)))
    }

    /// Caches mark a tag as weak on the way; the content is the same.
    private static func bareTag(_ tag: String) -> Substring {
        var tag = Substring(tag)
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        return tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag.dropFirst().dropLast() : tag
    }

    // MARK: Paths

    /// `<conversation>/<message>/file.png`; the same for every try of one message.
    static func path(of file: FileUpload) -> String {
        let ending = file.name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        let isPlain = (1...16).contains(ending.utf8.count) && ending.utf8.allSatisfy(Self.isLetterOrDigit)
        let name = isPlain ? "file.\(ending.lowercased())" : "file"
        return "\(file.conversationID.text)/\(file.messageID.text)/\(name)"
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// - Throws: `.notFound` for a path that would lead out of the bucket: somebody else wrote it.
    private static func place(_ route: String, _ path: String) throws(StorageFailure) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { throw .link(.notFound) }
        return route + Self.bucket + "/"
            + parts.map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }
}
