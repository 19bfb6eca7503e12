import FoundationEssentials

/// A server's answer, whatever its status. A redirect is an answer too: it is never followed, for a token
/// must not reach another host.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    /// Empty when the body went to a file.
    package var body: Data

    package init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// 200...299.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the same request may be answered otherwise later: 408, 425, 429 and 500...599 but for 501 and
    /// 505.
    package var isTransient: Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: (500..<600).contains(status)
        }
    }

    /// How long the server asks us to wait before the next try, by Retry-After (RFC 9110 section 10.2.3).
    ///
    /// Both forms are read; a date in the past is zero. `nil` when the header is missing or means nothing.
    /// The caller sets the bounds: a server may ask for hours.
    /// - Parameter now: The local time, used only when the answer has no Date header to compare with.
    package func retryAfter(now: Date) -> Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if let seconds = Int64(value), seconds >= 0 { return .seconds(min(seconds, 1_000_000)) }
        guard let until = HTTPDate.seconds(value) else { return nil }
        let start = headers["Date"].flatMap(HTTPDate.seconds) ?? Int64(now.timeIntervalSince1970)
        return .seconds(max(until - start, 0))
    }
}
