import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Why a call of the Storage door has no answer.
///
/// Storage answers refusals with the HTTP status 400 and has the true status in the body, as a string; only what
/// stands before it (a proxy's 413) speaks by the HTTP status.
enum StorageFailure: DoorFailure, Sendable, Hashable {
    /// No token, no way, a file here, or something else than the server answered.
    case link(BackendError)
    case refused(status: Int, code: String?)
    /// Our token was not taken: a fresh one may help.
    case tokenRefused
    /// 408, 429, 5xx: may succeed later, unchanged.
    case unavailable(status: Int, retryAfter: Duration?)
    /// The answer is not of the agreed shape.
    case unreadable

    /// What the answer failed with; `nil` for an answer of a 2xx status.
    init?(_ answer: HTTPResponse, now: Int64) {
        guard !answer.isSuccess else { return nil }
        let isForeign = ContentKind(of: answer).isForeign
        // No error object: the status decides alone.
        let body = isForeign ? nil : try? WireCoding.decode(JSONValue.self, from: answer.body)
        let told = body?["statusCode"]
        let status = told?.string.flatMap { Int($0) } ?? told?.integer.map { Int($0) } ?? answer.status
        let wait = answer.retryAfter(now: Date(microseconds: now))
        switch status {
        case 511, 300..<400: self = .link(.offline(.intercepted))
        // Hosted projects answer 402 when what they paid for is used up.
        case 402, 507: self = .refused(status: 507, code: body?["code"]?.string)
        case 408, 425, 429, 500, 502...504, 506...599:
            self = .unavailable(status: status, retryAfter: wait)
        // A page on the way knows nothing of our token: no fresh one would help, and nobody is signed out.
        case 401 where !isForeign, 403 where !isForeign && Self.isAboutToken(body): self = .tokenRefused
        case 413: self = .refused(status: 413, code: body?["code"]?.string)
        case _ where isForeign: self = .link(.offline(.intercepted))
        default: self = .refused(status: status, code: body?["code"]?.string ?? body?["error"]?.string)
        }
    }

    var asksForToken: Bool { self == .tokenRefused }

    /// Policies and tokens are refused with one status and one code; the words tell them apart.
    private static func isAboutToken(_ body: JSONValue?) -> Bool {
        guard let words = body?["message"]?.string?.lowercased() else { return true }
        return ["claim", "signature", "jws", "jwt", "token"].contains { words.contains($0) }
    }

    /// What the failure of a question means to the engine.
    var backendError: BackendError {
        switch self {
        case .link(let error): error
        case .unreadable: .unexpected(code: "shape")
        case .tokenRefused: .signedOut
        case .unavailable(408, _): .timedOut
        case .unavailable(429, let wait): .busy(retryAfter: wait)
        case .unavailable(_, let wait?): .busy(retryAfter: wait)
        case .unavailable: .offline(.serverUnavailable)
        case .refused(404, _): .notFound
        case .refused(403, _): .notAllowed
        case .refused(409, _): .taken
        case .refused(413, _), .refused(415, _), .refused(416, _): .invalid
        case .refused(let status, let code): .unexpected(code: code ?? String(status))
        }
    }

    /// What the failure of an upload means.
    func uploadOutcome(limit: Int64) -> UploadOutcome {
        switch end(limit: limit) {
        case .wait(let delay, let reason): .wait(after: delay, because: reason)
        case .waitForSignIn: .waitForSignIn
        case .refused(let reason): .refused(reason)
        }
    }

    /// What the failure of a removal means. It has no limit to break.
    var removalOutcome: OperationOutcome {
        switch end(limit: 0) {
        case .wait(let delay, let reason): .wait(after: delay, because: reason)
        case .waitForSignIn: .waitForSignIn
        case .refused(let reason): .refused(reason)
        }
    }

    private enum End {
        case wait(Duration?, WaitReason)
        case waitForSignIn
        case refused(SendError)
    }

    private func end(limit: Int64) -> End {
        switch self {
        case .link(.localFile): .refused(.fileUnreadable)
        case .link(.signedOut), .link(.offline(.signedOut)), .link(.offline(.refused)), .tokenRefused:
            .waitForSignIn
        case .link(.offline): .wait(nil, .offline)
        case .link(.timedOut): .wait(nil, .timedOut)
        case .link(.busy(let wait)): .wait(wait, .askedToWait)
        case .link, .unreadable: .wait(nil, .serverFailed)
        case .unavailable(408, let wait): .wait(wait, .timedOut)
        case .unavailable(429, let wait): .wait(wait, .askedToWait)
        case .unavailable(_, let wait?): .wait(wait, .askedToWait)
        case .unavailable: .wait(nil, .serverFailed)
        case .refused(413, _): .refused(.fileTooLarge(limit: limit))
        case .refused(403, _): .refused(.notAMember)
        case .refused(507, "QuotaExceeded"?): .refused(.quotaUsedUp)
        case .refused(507, _): .refused(.serviceFull)
        case .refused(let status, let code): .refused(.refused(code: code ?? String(status)))
        }
    }
}
