import Backend
import Models
import Networking
import Secrets

extension SecretError {
    /// For the log.
    var word: String {
        switch self {
        case .missingFolder: "missing-folder"
        case .notReadable(let code): "not-readable-\(code)"
        case .notWritable: "not-writable"
        case .diskFull: "disk-full"
        case .damaged: "damaged"
        case .tooNew: "too-new"
        case .busy: "busy"
        case .failed(let code): "failed-\(code)"
        }
    }

    /// Whether nothing is left to sign in with.
    var endsSession: Bool {
        switch self {
        case .damaged, .missingFolder: true
        case .notReadable, .notWritable, .diskFull, .tooNew, .busy, .failed: false
        }
    }
}

extension AuthFailure {
    /// What a failed refresh that does not end the session means to the engine.
    var backendError: BackendError {
        switch self {
        case .network(let error): error.backendError
        case .intercepted: .offline(.intercepted)
        case .keyRefused: .offline(.refused)
        case .refused(_, let code, _): .unexpected(code: code ?? "auth")
        case .unavailable(let status, _, let wait):
            status == 429 || status == 409 || wait != nil
                ? .busy(retryAfter: wait ?? (status == 409 ? .seconds(1) : nil))
                : .offline(.serverUnavailable)
        case .notAuth: .offline(.intercepted)
        }
    }
}
