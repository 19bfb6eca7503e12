import CCurl
import FoundationEssentials

/// One request while libcurl works on it: the context of all its callbacks, used on the network thread only.
final class HTTPTransfer {
    let ticket: HTTPTicket
    let easy: UnsafeMutableRawPointer
    let continuation: HTTPContinuation

    private let url: CurlURL
    private let watch: CertificateWatch?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let upload: HTTPUpload?
    private var download: HTTPDownload
    private var head = HTTPHead()
    private var failure: NetworkError?
    private let end: ContinuousClock.Instant
    private var lastMove = ContinuousClock.now
    private var lastReport = ContinuousClock.now

    init(
        _ ticket: HTTPTicket, _ easy: UnsafeMutableRawPointer, _ continuation: HTTPContinuation,
        connectsAnew: Bool
    ) throws(NetworkError) {
        self.ticket = ticket
        self.easy = easy
        self.continuation = continuation
        let request = ticket.request
        end = ContinuousClock.now.advanced(by: request.timeout)
        url = try CurlURL(request.url)
        watch = url.scheme == "https" ? CertificateWatch() : nil
        upload = try HTTPUpload(request.body)
        download = HTTPDownload(request.destination, limit: request.responseLimit)
        try prepare(connectsAnew: connectsAnew || request.onNewConnection)
    }

    deinit {
        curl_slist_free_all(headerList)
    }

    /// When it has lasted too long, in all or since a byte last moved.
    var deadline: ContinuousClock.Instant {
        min(end, lastMove.advanced(by: ticket.configuration.stallTimeout))
    }

    /// The answer, or the reason why there is none. A reason found by our own callbacks is the true one:
    /// libcurl only saw them say stop.
    func result(_ code: CURLcode) -> HTTPResult {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(CurlFailure.error(code, of: easy, watch)) }
        guard head.isComplete else { return .failure(.connectionLost) }
        return .success(HTTPResponse(status: head.status, headers: head.headers, body: download.body))
    }
}

// MARK: - Options

extension HTTPTransfer {
    private func prepare(connectsAnew: Bool) throws(NetworkError) {
        let request = ticket.request
        var options = CurlOptions(easy)
        options.setConnection(url, ticket.configuration)
        watch?.attach(to: easy)
        options.set(CURLOPT_USERAGENT, ticket.configuration.userAgent)
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Only where the handshake tells whether a connection can be shared. In the clear only an answer does,
        // and after a connection that broke before one, libcurl 7.88 would wait for it to the deadline.
        options.set(CURLOPT_PIPEWAIT, url.scheme == "https")
        options.set(CURLOPT_FRESH_CONNECT, connectsAnew)
        // A file must get the bytes of a range as they are; in memory a compressed answer saves a slow link.
        if case .memory = request.destination { options.set(CURLOPT_ACCEPT_ENCODING, "") }
        setMethod(&options)
        setCallbacks(&options)
        headerList = try headers()
        options.note(pl_curl_set_headers(easy, headerList))
        guard options.wereTaken else { throw .other(code: 0) }
    }

    private func setMethod(_ options: inout CurlOptions) {
        let method = ticket.request.method
        if let upload {
            options.set(CURLOPT_POST, true)
            options.note(pl_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, upload.size))
            // Before its callbacks are set: libcurl sends what it holds itself together with the head.
            upload.withSmallBody { options.note(pl_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0)) }
        } else if [.post, .put, .patch].contains(method) {
            options.set(CURLOPT_POST, true)
            options.set(CURLOPT_POSTFIELDSIZE, 0)
            options.set(CURLOPT_COPYPOSTFIELDS, "")
        } else if method == .head {
            options.set(CURLOPT_NOBODY, true)
        }
        if method != .head { options.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
    }

    private func headers() throws(NetworkError) -> UnsafeMutablePointer<curl_slist>? {
        var headers = ticket.request.headers
        // libcurl would wait a second for a go-ahead before large bodies, and call every body a web form.
        if headers["Expect"] == nil { headers["Expect"] = "" }
        if headers["Content-Type"] == nil { headers["Content-Type"] = "" }
        var list: UnsafeMutablePointer<curl_slist>?
        for field in headers.fields {
            let removes = field.value.isEmpty && ["expect", "content-type"].contains(field.name.lowercased())
            let line =
                removes
                ? field.name + ":" : field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw .other(code: 0)
            }
            list = longer
        }
        return list
    }

    private func setCallbacks(_ options: inout CurlOptions) {
        let context = Unmanaged.passUnretained(self).toOpaque()  // `HTTPLoop.active` keeps it alive
        options.set(CURLOPT_PRIVATE, pointer: context)
        options.set(CURLOPT_HEADERDATA, pointer: context)
        options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            HTTPTransfer.of(context)?.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
                ?? 0
        }
        options.set(CURLOPT_WRITEDATA, pointer: context)
        options.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            HTTPTransfer.of(context)?.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
                ?? 0
        }
        if let upload, !upload.isSmall { setUploadCallbacks(&options, context) }
        guard ticket.request.progress != nil else { return }
        options.set(CURLOPT_NOPROGRESS, false)
        options.set(CURLOPT_XFERINFODATA, pointer: context)
        options.note(
            pl_curl_set_progress_callback(easy) { context, _, received, _, sent in
                HTTPTransfer.of(context)?.report(sent: Int64(sent), received: Int64(received))
                return 0
            })
    }

    private func setUploadCallbacks(_ options: inout CurlOptions, _ context: UnsafeMutableRawPointer) {
        options.set(CURLOPT_READDATA, pointer: context)
        options.set(CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return HTTPTransfer.of(context)?.give(room) ?? Int(CURL_READFUNC_ABORT)
        }
        options.set(CURLOPT_SEEKDATA, pointer: context)
        options.note(
            pl_curl_set_seek_callback(easy) { context, offset, origin in
                guard origin == SEEK_SET, let upload = HTTPTransfer.of(context)?.upload else {
                    return CURL_SEEKFUNC_FAIL
                }
                upload.seek(to: Int64(offset))
                return CURL_SEEKFUNC_OK
            })
    }
}

// MARK: - Callbacks

extension HTTPTransfer {
    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: Bytes taken; fewer than given ends the transfer.
    private func take(header line: UnsafeRawBufferPointer) -> Int {
        lastMove = .now
        guard head.take(line) else { return fail(.protocolViolation) }
        return line.count
    }

    private func take(body bytes: UnsafeRawBufferPointer) -> Int {
        lastMove = .now
        do {
            try download.take(bytes, status: head.status)
            return bytes.count
        } catch {
            return fail(error)
        }
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return Int(CURL_READFUNC_ABORT) }
        lastMove = .now
        do {
            return try upload.give(room)
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func fail(_ error: NetworkError) -> Int {
        failure = error
        return 0
    }

    private func report(sent: Int64, received: Int64) {
        let now = ContinuousClock.now
        guard lastReport.duration(to: now) >= .milliseconds(200) else { return }
        lastReport = now
        ticket.request.progress?(sent, received)
    }
}
