import Backend
import Models
import Networking

extension NetworkError {
    /// What a failed exchange means to the engine.
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
        case .upgradeRefused(let answer): Self.meaning(ofUpgradeAnswer: answer)
        }
    }

    /// A refusal that a fresh token may turn is dealt with before this.
    private static func meaning(ofUpgradeAnswer answer: HTTPResponse) -> BackendError {
        switch answer.status {
        case 429: .busy(retryAfter: .seconds(30))
        case 401, 403, 404: .offline(ContentKind(of: answer) == .html ? .intercepted : .refused)
        case 408: .timedOut
        case 500...599: .offline(.serverUnavailable)
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
