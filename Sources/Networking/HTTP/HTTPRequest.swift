import FoundationEssentials

/// A method by its word; what is not listed here can still be sent.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }

    package static let get: HTTPMethod = "GET"
    package static let head: HTTPMethod = "HEAD"
    package static let post: HTTPMethod = "POST"
    package static let put: HTTPMethod = "PUT"
    package static let patch: HTTPMethod = "PATCH"
    package static let delete: HTTPMethod = "DELETE"
}

/// What to ask of a server.
package struct HTTPRequest: Sendable {
    /// What the request carries.
    package enum Body: Sendable {
        /// No body; POST, PUT and PATCH say so with a length of 0.
        case none
        case bytes(Data)
        /// The bytes of a file from `offset` on, read while they are sent.
        case file(path: String, offset: Int64 = 0)
    }

    /// Where a successful answer's body goes.
    package enum Destination: Sendable {
        /// Into `HTTPResponse.body`.
        case memory
        /// Appended to a file that exists already, if the status is 200 or 206; other answers go to memory.
        /// The file then holds what arrived, also when the transfer fails midway.
        case file(path: String)
    }

    package var method: HTTPMethod
    /// Absolute, http or https, already percent-encoded.
    package var url: String
    package var headers: HTTPHeaders
    package var body: Body
    /// From the call to the last byte of the answer, waiting for a free connection included.
    package var timeout: Duration
    /// Most bytes of an answer's body, after decompression. More is `.tooLarge`.
    package var responseLimit: Int
    package var destination: Destination
    /// Whether to connect anew. A kept-alive connection that turns out dead makes libcurl send the request
    /// again, which must not happen to what a server takes only once.
    package var onNewConnection = false
    /// Called on the network thread, at most a few times a second, with the bytes of the bodies sent and
    /// received.
    package var progress: (@Sendable (_ sent: Int64, _ received: Int64) -> Void)?

    package init(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: Body = .none,
        timeout: Duration = .seconds(30), responseLimit: Int = 16 << 20, destination: Destination = .memory
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.responseLimit = responseLimit
        self.destination = destination
    }
}
