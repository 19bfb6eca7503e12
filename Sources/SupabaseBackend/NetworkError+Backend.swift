import Backend
import FoundationEssentials
import Models
import Networking

extension NetworkError {
    /// What a failed request means to the engine.
    var backendError: BackendError {
        switch self {
        case .nameNotFound: .offline(.noSuchName)
        case .refused, .unreachable, .proxy: .offline(.unreachable)
        case .connectionLost, .closed, .protocolViolation, .other, .cancelled: .offline(.lost)
        case .timedOut: .timedOut
        case .tls(let failure): .offline(failure.linkProblem)
        case .invalidURL, .invalidRequest, .plainHTTPRefused: .offline(.refused)
        case .libraryMissing: .offline(.libraryMissing)
        case .tooLarge: .unexpected(code: "too-large")
        case .file(let code): .localFile(code: code)
        case .upgradeRefused(let answer): Self.meaning(ofUpgradeAnswer: answer, wait: nil)
        }
    }

    /// What a socket that could not be opened means to the engine.
    /// - Parameter now: Microseconds since 1970, for a server that names the end of its pause.
    func openingError(at now: Int64) -> BackendError {
        guard case .upgradeRefused(let answer) = self else { return backendError }
        return Self.meaning(
            ofUpgradeAnswer: answer, wait: answer.retryAfter(now: Date(microseconds: now)))
    }

    /// A refusal that a fresh token may turn is dealt with before this.
    private static func meaning(ofUpgradeAnswer answer: HTTPResponse, wait: Duration?) -> BackendError {
        switch answer.status {
        case 429: .busy(retryAfter: wait ?? .seconds(30))
        case 401, 403, 404: .offline(ContentKind(of: answer) == .html ? .intercepted : .refused)
        case 408: .timedOut
        case 511: .offline(.intercepted)
        case 500...599: wait.map { .busy(retryAfter: $0) } ?? .offline(.serverUnavailable)
        default: .offline(.intercepted)
        }
    }
}

extension NetworkError.TLSFailure {
    fileprivate var linkProblem: LinkProblem {
        switch self {
        case .certificate(let problem): .certificate(UserCopy(problem.what, next: problem.next))
        case .handshake: .noEncryption
        case .certificateFile(let error): .trust(UserCopy(error.what, next: error.next))
        case .noAuthorities:
            .trust(
                UserCopy(
                    "This machine has no list of authorities to trust.",
                    next: "Install the package ca-certificates."))
        }
    }
}

/// What an answer says its body is.
enum ContentKind {
    case json, html, other, unsaid

    /// None of the doors answers in this: it comes from something on the way.
    var isForeign: Bool { self == .html || self == .other }

    init(of answer: HTTPResponse) {
        guard let header = answer.headers["Content-Type"] else {
            self = .unsaid
            return
        }
        let type = header.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        self =
            switch type {
            case "application/json": .json
            case "text/html", "application/xhtml+xml": .html
            default: type.hasSuffix("+json") ? .json : .other
            }
    }
}
