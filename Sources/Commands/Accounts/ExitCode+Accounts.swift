import Models

extension ExitCode {
    init(_ error: SignInError) {
        self =
            switch error {
            case .badServerAddress, .otherAddress, .insecureServer, .keyNeeded, .secretKey, .badAddress,
                .badName,
                .weakPassword, .passwordTooLong:
                .usage
            case .unreachable(let problem): ExitCode(problem)
            case .notAPinglineServer, .tablesMissing, .projectPaused: .unavailable
            case .keyRefused, .wrongPassword, .signUpClosed, .banned, .addressTaken, .nameTaken, .refused:
                .refused
            case .addressNotConfirmed, .rateLimited: .later
            case .notKept: .inputOutput
            }
    }

    private init(_ problem: LinkProblem) {
        self =
            switch problem {
            case .certificate, .noEncryption, .intercepted: .untrusted
            case .trust: .configuration
            case .unreachable, .noSuchName, .serverUnavailable, .lost, .signedOut, .refused, .libraryMissing:
                .unavailable
            case .sessionUnreadable: .inputOutput
            }
    }

    init(_ error: StoreError) {
        self =
            switch error {
            case .inUse, .closed: .later
            case .diskFull, .readOnly, .damaged, .tooNew, .failed: .inputOutput
            }
    }

    init(_ error: PromptError) {
        self =
            switch error {
            case .missing, .ended, .notText, .tooLong: .usage
            case .failed: .inputOutput
            }
    }
}
