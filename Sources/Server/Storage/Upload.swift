import Digest
import FoundationEssentials
import SupabaseWire
import Synchronization

/// What an upload is for, known when its headers are in.
struct UploadOrder: Sendable {
    let caller: StorageCaller
    let path: ObjectPath
    let mayReplace: Bool
    let bucket: Bucket
    /// Bytes of the object.
    let sizeLimit: Int64
    /// Of a body that is the file itself, its type; of a form, that of the whole.
    let contentType: String?
    let cacheControl: String?
    /// Bytes of the whole body, when its sender says so.
    let length: Int64?
    /// Base64 of a JSON object.
    let metadata: String?

    init(
        _ request: IncomingRequest, path: ObjectPath, caller: StorageCaller, bucket: Bucket, limit: Int64
    ) {
        self.caller = caller
        self.path = path
        self.bucket = bucket
        mayReplace = request.method == "PUT" || request.header("x-upsert")?.lowercased() == "true"
        sizeLimit = min(bucket.sizeLimit ?? limit, limit)
        contentType = request.header("content-type")
        cacheControl = request.header("cache-control")
        metadata = request.header("x-metadata")
        length = request.header("content-length").flatMap { Int64($0) }
    }
}

/// Writes one upload to the disk as it comes, and says in the end what it was.
///
/// After a fault the rest of the body is let pass unread, up to a bound: an answer can be given only behind it.
/// A broken connection lets this go, and the file with it.
final class Upload: BodySink {
    /// Bytes that are let pass after a fault, so that the client sees its answer; past it the connection breaks.
    static let patience: Int64 = 1 << 20
    /// Bytes of a form's fields beside the file.
    private static let longestField = 65_536

    private enum Part { case none, file, field(String) }

    private struct State {
        var reader: MultipartReader?
        var part = Part.none
        var hasFile = false
        var file: TemporaryFile?
        var digest: SHA256Stream?
        var size: Int64 = 0
        var received: Int64 = 0
        var mimeType: String?
        var fields: [String: [UInt8]] = [:]
        var fault: StorageFault?
    }

    let order: UploadOrder
    private let shelf: FileShelf
    private let ticket: UploadTicket
    private let room: RoomPromise?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - ticket: Kept as long as the upload is under way.
    ///   - room: As long as its file is not in its place; `nil` for one that is refused.
    init(_ order: UploadOrder, shelf: FileShelf, ticket: UploadTicket, room: RoomPromise?) {
        self.order = order
        self.shelf = shelf
        self.ticket = ticket
        self.room = room
        var state = State()
        state.reader = order.contentType.flatMap { MultipartReader(contentType: $0) }
        if state.reader == nil {
            state.hasFile = true
            state.mimeType = order.contentType
        }
        self.state = Mutex(state)
    }

    func take(_ bytes: [UInt8], next: @escaping @Sendable (Bool) -> Void) {
        shelf.enqueue { @Sendable [self] in next(consume(bytes)) }
    }

    /// Makes the rest of the body be let pass: it will not be kept.
    func refuse(_ fault: StorageFault) { state.withLock { Self.give($0.fault ?? fault, &$0) } }

    /// The whole upload, once its body is in.
    func finish() async throws(StorageFault) -> (file: TemporaryFile, content: ObjectContent) {
        try await shelf.run { [self] in Result { () throws(StorageFault) in try finished() } }.get()
    }

    private func consume(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            state.received += Int64(bytes.count)
            guard state.received <= order.sizeLimit + Self.patience else { return false }
            guard state.fault == nil else { return true }
            do throws(StorageFault) { try keep(bytes, &state) } catch { Self.give(error, &state) }
            return true
        }
    }

    private static func give(_ fault: StorageFault, _ state: inout State) {
        state.fault = fault
        state.file = nil
        state.digest = nil
    }

    private func keep(_ bytes: [UInt8], _ state: inout State) throws(StorageFault) {
        guard var reader = state.reader else { return try append(bytes[...], &state) }
        try reader.take(bytes) { event throws(StorageFault) in
            switch event {
            case .began(let head): try begin(head, &state)
            case .bytes(let content): try append(content, &state)
            }
        }
        state.reader = reader
    }

    private func begin(_ head: PartHead, _ state: inout State) throws(StorageFault) {
        guard head.fileName != nil || head.name == "file" || head.name.isEmpty else {
            state.part = .field(head.name)
            return
        }
        guard !state.hasFile else { throw .invalidRequest("More than one file in the form") }
        state.hasFile = true
        state.part = .file
        state.mimeType = head.contentType
        let type = MediaTypeText.kept(head.contentType)
        guard order.bucket.takes(type) else { throw .mimeType(MediaTypeText.essence(type)) }
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ state: inout State) throws(StorageFault) {
        if state.reader != nil {
            switch state.part {
            case .none: return
            case .field(let name): return try append(bytes, to: name, &state)
            case .file: break
            }
        }
        state.size += Int64(bytes.count)
        guard state.size <= order.sizeLimit else { throw .tooLarge }
        let digest = state.digest ?? SHA256Stream()
        digest.update(bytes)
        state.digest = digest
        let file = if let open = state.file { open } else { try shelf.temporaryFile() }
        state.file = file
        try room?.use(Int64(bytes.count))
        try file.append(bytes)
    }

    private func append(_ bytes: ArraySlice<UInt8>, to field: String, _ state: inout State)
        throws(StorageFault)
    {
        guard ["cacheControl", "metadata"].contains(field) else { return }
        state.fields[field, default: []] += bytes
        guard (state.fields[field]?.count ?? 0) <= Self.longestField else {
            throw .invalidRequest("The field \(field) is too long")
        }
    }

    private func finished() throws(StorageFault) -> (file: TemporaryFile, content: ObjectContent) {
        try state.withLock { state throws(StorageFault) in
            if let fault = state.fault { throw fault }
            guard state.hasFile, state.reader?.isComplete ?? true else {
                throw .invalidRequest("The form has no file, or no end")
            }
            let file = if let open = state.file { open } else { try shelf.temporaryFile() }
            let digest = (state.digest ?? SHA256Stream()).finish()
            state.digest = nil
            state.file = nil
            let content = ObjectContent(
                digest: Hex.encode(digest), size: state.size,
                mimeType: MediaTypeText.kept(state.mimeType),
                cacheControl: cacheControl(state), metadata: try metadata(state))
            return (file: file, content: content)
        }
    }

    /// A form gives seconds, a header the whole text.
    private func cacheControl(_ state: State) -> String {
        let field = state.fields["cacheControl"].map { String(decoding: $0, as: UTF8.self).trimmingSpaces() }
        let text = field.flatMap { Int($0) }.map { "max-age=\($0)" } ?? field ?? order.cacheControl ?? ""
        let isFit =
            !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isFit ? text : "no-cache"
    }

    private func metadata(_ state: State) throws(StorageFault) -> String {
        let text: [UInt8]
        if let field = state.fields["metadata"] {
            text = field
        } else if let header = order.metadata {
            text = Data(base64Encoded: header).map { Array($0) } ?? []
        } else {
            return "{}"
        }
        let value: JSONValue
        do { value = try WireCoding.decode(from: text, brokenText: .refused) } catch {
            throw .invalidRequest("The metadata is no JSON")
        }
        guard case .object = value else { throw .invalidRequest("The metadata is no object") }
        return value.jsonText
    }
}

/// A body nobody wants, short enough to let pass before its sender is told.
final class UnwantedBody: BodySink {
    let answer: Answer
    private let received = Mutex<Int64>(0)

    init(_ answer: Answer) { self.answer = answer }

    func take(_ bytes: [UInt8], next: @escaping @Sendable (Bool) -> Void) {
        let count = received.withLock { received in
            received += Int64(bytes.count)
            return received
        }
        next(count <= Upload.patience)
    }
}
