import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Why a REST call has no rows, close enough to the wire that each caller can say what it means to it.
enum RestFailure: DoorFailure, Sendable, Hashable {
    /// No token, no way, or something else than the server answered.
    case link(BackendError)
    /// The server's refusal, by its code; `nil` where the body has none.
    case refused(status: Int, code: String?)
    /// 408, 429, 5xx: may succeed later, unchanged.
    case unavailable(status: Int, code: String?, retryAfter: Duration?)
    /// The answer is not of the agreed shape.
    case unreadable

    /// What the answer failed with; `nil` for an answer that can be read.
    init?(_ answer: HTTPResponse, now: Int64) {
        let kind = ContentKind(of: answer)
        if answer.isSuccess {
            guard kind == .html || (kind == .other && !answer.body.isEmpty) else { return nil }
            self = .link(.offline(.intercepted))
            return
        }
        // No error object: the status decides alone.
        let body = kind.isForeign ? nil : try? WireCoding.decode(RestErrorBody.self, from: answer.body)
        switch answer.status {
        case 511: self = .link(.offline(.intercepted))
        case 300 where body?.code != nil: self = .refused(status: 300, code: body?.code)
        case 300..<400: self = .link(.offline(.intercepted))
        case _ where answer.isTransient:
            let wait = answer.retryAfter(now: Date(microseconds: now))
            self = .unavailable(status: answer.status, code: body?.code, retryAfter: wait)
        case 401 where Self.isEarly(body):
            self = .unavailable(status: 401, code: body?.code, retryAfter: .seconds(5))
        case 401 where !kind.isForeign && body?.code == nil: self = .link(.offline(.refused))
        case 413: self = .refused(status: 413, code: body?.code)
        case _ where kind.isForeign: self = .link(.offline(.intercepted))
        default: self = .refused(status: answer.status, code: body?.code)
        }
    }

    /// Whether a fresh token may turn the refusal: ours was not taken, or we passed for nobody.
    var asksForToken: Bool {
        guard case .refused(401, let code?) = self else { return false }
        return ["PGRST301", "PGRST302", "PGRST303", "42501"].contains(code)
    }

    /// Two servers' clocks differ by seconds: the token is good in a moment, and a fresher one would be
    /// worse.
    private static func isEarly(_ body: RestErrorBody?) -> Bool {
        guard body?.code == "PGRST303" || body?.code == "PGRST301", let words = body?.message else {
            return false
        }
        return words == "JWT issued at future" || words == "JWT not yet valid"
    }
}

extension RestFailure {
    /// What the failure of a question means to the engine.
    var backendError: BackendError {
        switch self {
        case .link(let error): error
        case .unreadable: .unexpected(code: "shape")
        case .unavailable(408, _, _): .timedOut
        case .unavailable(429, _, let wait): .busy(retryAfter: wait)
        case .unavailable(_, _, let wait?): .busy(retryAfter: wait)
        case .unavailable: .offline(.serverUnavailable)
        case .refused(let status, let code): Self.meaning(status, code)
        }
    }

    private static func meaning(_ status: Int, _ code: String?) -> BackendError {
        switch (status, code ?? "") {
        case (401, _): .signedOut
        case (_, "42501"): .notAllowed
        case (_, "23505"): .taken
        case (_, "23503"), (_, "PGRST116"), (_, "PT404"): .notFound
        case (_, "PGRST202"), (_, "PGRST205"), (_, "42P01"), (_, "42883"): .unsupported
        case (403, _): .notAllowed
        case (413, _): .invalid
        case (400, let code) where code.hasPrefix("22") || code.hasPrefix("23"): .invalid
        case (_, let code): .unexpected(code: code.isEmpty ? String(status) : code)
        }
    }

    /// What the failure of an outbox operation means where the operation itself knows no better.
    var outcome: OperationOutcome {
        switch self {
        case .link(let error): Self.outcome(error)
        case .unreadable: .wait(after: nil, because: .serverFailed)
        case .unavailable(408, _, let wait): .wait(after: wait, because: .timedOut)
        case .unavailable(429, _, let wait): .wait(after: wait, because: .askedToWait)
        case .unavailable(_, _, let wait?): .wait(after: wait, because: .askedToWait)
        case .unavailable: .wait(after: nil, because: .serverFailed)
        case .refused(401, _): .waitForSignIn
        case .refused(_, "42501"): .refused(.notAMember)
        case .refused(_, "PT404"): .refused(.messageGone)
        case .refused(let status, let code): .refused(.refused(code: code ?? String(status)))
        }
    }

    private static func outcome(_ error: BackendError) -> OperationOutcome {
        switch error {
        case .offline(.signedOut), .offline(.refused), .signedOut: .waitForSignIn
        case .offline: .wait(after: nil, because: .offline)
        case .timedOut: .wait(after: nil, because: .timedOut)
        case .busy(let wait): .wait(after: wait, because: .askedToWait)
        case .notFound, .notAllowed, .taken, .invalid, .unsupported, .localFile, .unexpected:
            .wait(after: nil, because: .serverFailed)
        }
    }
}
