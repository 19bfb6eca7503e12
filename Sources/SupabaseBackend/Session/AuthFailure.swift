import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Why a call of the Auth door gave no session.
enum AuthFailure: Error, Sendable, Equatable {
    case network(NetworkError)
    /// Something on the way answered: a redirect or a page.
    case intercepted
    /// The gateway does not know the project's key.
    case keyRefused
    /// The server refused, with its word; `nil` where it has none.
    case refused(status: Int, code: String?, weaknesses: [String] = [])
    /// The server cannot now, or asks to wait.
    case unavailable(status: Int, code: String?, retryAfter: Duration?)
    /// It answers, but is no Auth door.
    case notAuth

    init(refusal answer: HTTPResponse, now: Int64) {
        let kind = ContentKind(of: answer)
        // A body that is no error object leaves the status alone to decide.
        let body = kind.isForeign ? nil : try? WireCoding.decode(AuthErrorBody.self, from: answer.body)
        let code = body?.code ?? body?.error
        let isTransient = answer.isTransient || answer.status == 409
        switch answer.status {
        case 511, 301...399: self = .intercepted
        case _ where isTransient:
            let wait = answer.retryAfter(now: Date(microseconds: now))
            self = .unavailable(status: answer.status, code: code, retryAfter: wait)
        case 401 where !kind.isForeign && code == nil: self = .keyRefused
        case 404, 405, 501, 505: self = .notAuth
        default:
            self =
                code == nil
                ? kind.isForeign ? .intercepted : .notAuth
                : .refused(status: answer.status, code: code, weaknesses: body?.weaknesses ?? [])
        }
    }

    /// Whether the session behind a refresh is over. Everything else keeps it and tries again.
    var endsSession: Bool {
        guard case .refused(let status, let code?, _) = self else { return false }
        switch (status, code) {
        case (400, "refresh_token_not_found"), (400, "refresh_token_already_used"): return true
        case (400, "session_not_found"), (400, "session_expired"), (400, "validation_failed"): return true
        case (400, "invalid_grant"): return true  // the older form, which has no code
        case (403, "session_not_found"), (403, "session_expired"): return true
        case (_, "user_not_found"), (_, "user_banned"): return true
        default: return false
        }
    }
}
