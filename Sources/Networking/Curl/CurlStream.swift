import CCurl

/// A connection libcurl made, through a proxy and TLS where needed, and then left to us.
final class CurlStream: ByteStream {
    private(set) var descriptor: Int32 = -1
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let url: CurlURL  // libcurl holds its handle
    private let watch: CertificateWatch?

    /// Prepares a connection; `connect` makes it.
    init(_ url: CurlURL, _ configuration: NetworkConfiguration) throws(NetworkError) {
        guard let easy = curl_easy_init() else { throw .other(code: 0) }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            throw .other(code: 0)
        }
        self.easy = easy
        self.multi = multi
        self.url = url
        watch = url.scheme == "https" ? CertificateWatch() : nil
        watch?.attach(to: easy)
        var options = CurlOptions(easy)
        options.setConnection(url, configuration)
        options.set(CURLOPT_CONNECT_ONLY, true)
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))  // HTTP/2 has another way to upgrade
        options.set(CURLOPT_HTTPPROXYTUNNEL, true)  // a proxy would take a plain GET for its own
        guard options.wereTaken else { throw .other(code: 0) }
    }

    /// The handle stays in its multi handle while the connection lives: taken out, libcurl closes it.
    deinit {
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
    }

    /// Connects, and blocks the calling thread until then.
    func connect(_ ticket: ConnectTicket) throws(NetworkError) {
        ticket.attach(multi)
        defer { ticket.detach() }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw .other(code: 0) }
        while true {
            let milliseconds = try ticket.remaining()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if let code = finished() {
                guard code == CURLE_OK else { throw CurlFailure.error(code, of: easy, watch) }
                guard pl_curl_get_socket(easy, &descriptor) == CURLE_OK, descriptor >= 0 else {
                    throw .connectionLost
                }
                return
            }
            curl_multi_poll(multi, nil, 0, milliseconds, nil)
        }
    }

    /// Blocks until there is something to read, or room to write.
    /// - Throws: `.timedOut` and `.cancelled`.
    func wait(forRoom: Bool, _ ticket: ConnectTicket) throws(NetworkError) {
        ticket.attach(multi)
        defer { ticket.detach() }
        let milliseconds = try ticket.remaining()
        let events = forRoom ? CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN
        var watched = curl_waitfd(fd: descriptor, events: Int16(events), revents: 0)
        curl_multi_poll(multi, &watched, 1, milliseconds, nil)
        _ = try ticket.remaining()
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> StreamStep {
        var count = 0
        let code = curl_easy_recv(easy, room.baseAddress, room.count, &count)
        guard code == CURLE_OK else { return code == CURLE_AGAIN ? .wouldBlock : .failed }
        return count > 0 ? .moved(count) : .ended
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> StreamStep {
        var count = 0
        let code = curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
        guard code == CURLE_OK else { return code == CURLE_AGAIN ? .wouldBlock : .failed }
        return .moved(count)
    }

    /// TLS has no half-closed state worth the trouble: the server closes first anyway (RFC 6455 section
    /// 7.1.1).
    func finishWriting() {}

    private func finished() -> CURLcode? {
        var done: UnsafeMutableRawPointer?
        var code = CURLE_OK
        var context: UnsafeMutableRawPointer?
        return pl_curl_multi_next_done(multi, &done, &code, &context) == 1 ? code : nil
    }
}
