/// Why an exchange with a server did not come to an answer. An answer of any status is no error.
package enum NetworkError: Error, Equatable, Sendable {
    /// The address cannot be read, has no host, another scheme than http, https, ws or wss, or holds a
    /// password.
    case invalidURL
    /// A header or method that would break the request apart.
    case invalidRequest
    /// Unencrypted to another machine, which the configuration does not allow.
    case plainHTTPRefused
    /// The host's name was not found: no such host, or no working resolver.
    case nameNotFound
    /// Nothing listens there.
    case refused
    /// No way to the host.
    case unreachable
    /// The connection was there and went away before the answer was complete.
    case connectionLost
    /// A deadline passed: connecting, in all, or without a byte moving.
    case timedOut
    case tls(TLSFailure)
    /// The proxy from the environment could not be found, or refused.
    case proxy
    /// The task was cancelled, or the client closed.
    case cancelled
    /// The answer's body is larger than the request allows, in bytes.
    case tooLarge(limit: Int)
    /// The server answered an upgrade to WebSocket with something else. Its body is cut at 64 KiB.
    case upgradeRefused(HTTPResponse)
    /// The server broke HTTP's or WebSocket's rules.
    case protocolViolation
    /// The WebSocket connection is closed.
    case closed
    /// The file of a body could not be read or written. The number is the system's `errno`.
    case file(code: Int32)
    /// libcurl is not on this machine, or too old.
    case libraryMissing
    /// Anything else libcurl says, by its number.
    case other(code: Int32)

    /// What TLS did not like.
    package enum TLSFailure: Equatable, Sendable {
        case certificate(CertificateProblem)
        /// No common version or cipher, or the peer does not speak TLS.
        case handshake
        /// The user's own file of trusted certificates cannot be used.
        case certificateFile(CertificateFileError)
        /// This machine has no list of authorities, or libcurl cannot read it.
        case noAuthorities
    }

    /// Whether the same request may succeed later with nobody changing anything here.
    package var isTransient: Bool {
        switch self {
        case .nameNotFound, .refused, .unreachable, .connectionLost, .timedOut, .proxy, .closed: true
        case .protocolViolation, .other: true  // a middlebox or a server being restarted
        case .tls(let failure): failure == .handshake
        case .upgradeRefused(let response): response.isTransient
        case .invalidURL, .invalidRequest, .plainHTTPRefused, .cancelled, .tooLarge, .file, .libraryMissing:
            false
        }
    }

    /// Whether the server certainly never saw the request, so that it may be repeated even where that would
    /// matter.
    package var neverArrived: Bool {
        switch self {
        case .invalidURL, .invalidRequest, .plainHTTPRefused, .nameNotFound, .refused, .unreachable: true
        case .tls, .proxy, .upgradeRefused, .libraryMissing: true
        case .connectionLost, .timedOut, .cancelled, .tooLarge, .protocolViolation, .closed, .file, .other:
            false
        }
    }
}
