/// Why a storage call is refused. Clients read all four words of it, and decide by the status in the body.
enum StorageFault: Error, Equatable, Sendable {
    case noBucket
    case bucketExists
    case bucketNotEmpty
    /// Not there, or not visible to this caller: nobody learns which.
    case noObject
    /// A rule of who may write what.
    case policy
    /// The bearer is none of ours, or out of its time.
    case token(String)
    case duplicate
    case tooLarge
    /// The objects of this account take all the room it has here.
    case quotaExceeded
    /// The disk, or the part of it that files may take, is full.
    case storageFull
    case mimeType(String)
    case invalidKey(String)
    /// The token of a signed URL is altered or expired.
    case urlToken(String)
    /// The token of a signed URL speaks of another object.
    case urlOfAnother
    /// The call itself is no good: broken JSON or multipart text, a value out of bounds.
    case invalidRequest(String)
    /// The range begins behind the end of an object of `size` bytes.
    case range(size: Int64)
    /// More uploads at a time than the server or one user may have, or a busy database.
    case busy
    case noRoute
    /// The disk or the database failed: nothing the caller did.
    case failed

    private struct Words {
        let status: Int
        let error: String
        let message: String
        let code: String

        init(_ status: Int, _ error: String, _ message: String, _ code: String) {
            self.status = status
            self.error = error
            self.message = message
            self.code = code
        }
    }

    private var words: Words {
        switch self {
        case .noBucket: Words(404, "Bucket not found", "Bucket not found", "NoSuchBucket")
        case .bucketExists: Words(409, "Duplicate", "The resource already exists", "BucketAlreadyExists")
        case .bucketNotEmpty:
            Words(409, "InvalidRequest", "The bucket you tried to delete is not empty", "InvalidRequest")
        case .noObject: Words(404, "not_found", "Object not found", "NoSuchKey")
        case .policy:
            Words(403, "Unauthorized", "new row violates row-level security policy", "AccessDenied")
        case .token(let message): Words(403, "Unauthorized", message, "AccessDenied")
        case .duplicate: Words(409, "Duplicate", "The resource already exists", "ResourceAlreadyExists")
        case .tooLarge:
            Words(
                413, "Payload too large", "The object exceeded the maximum allowed size", "EntityTooLarge")
        case .quotaExceeded:
            Words(
                507, "Insufficient storage", "The account has no room for the object", "QuotaExceeded")
        case .storageFull:
            Words(507, "Insufficient storage", "The server has no room for the object", "StorageFull")
        case .mimeType(let type):
            Words(415, "invalid_mime_type", "mime type \(type) is not supported", "InvalidMimeType")
        case .invalidKey(let key): Words(400, "InvalidKey", "Invalid key: \(key)", "InvalidKey")
        case .urlToken(let message): Words(400, "InvalidJWT", message, "InvalidJWT")
        case .urlOfAnother: Words(400, "InvalidSignature", "Invalid signature", "InvalidSignature")
        case .invalidRequest(let message): Words(400, "invalid_request", message, "InvalidRequest")
        case .range: Words(416, "InvalidRange", "The requested range is not satisfiable", "InvalidRange")
        case .busy:
            Words(
                429, "too_many_connections", "Too many connections issued to the database", "SlowDown")
        case .noRoute: Words(404, "not_found", "Route not found", "NoSuchRoute")
        case .failed: Words(500, "internal", "Internal Server Error", "InternalError")
        }
    }

    /// Whatever went wrong, the status on the wire is 400; the true one is in the body.
    private var httpStatus: Int {
        switch self {
        case .busy: 429
        case .noRoute: 404
        case .failed, .storageFull: 500
        case .noBucket, .bucketExists, .bucketNotEmpty, .noObject, .policy, .token, .duplicate, .tooLarge,
            .quotaExceeded, .mimeType, .invalidKey, .urlToken, .urlOfAnother, .invalidRequest, .range:
            400
        }
    }

    var answer: Answer {
        let words = words
        var writer = JSONText()
        let members = [
            (name: "statusCode", value: String(words.status)), ("error", words.error),
            ("message", words.message), ("code", words.code),
        ]
        writer.object(members) { $0.string($1) }
        var headers: [(name: String, value: String)] = []
        if case .range(let size) = self { headers.append(("Content-Range", "bytes */\(size)")) }
        if case .busy = self { headers.append(("Retry-After", "1")) }
        return .json(httpStatus, writer.text, headers: headers)
    }

    /// What became of a call to the database.
    init(_ refusal: Refusal) {
        self = refusal.status == 503 ? .busy : .failed
    }
}
