import CCurl

/// Sets options on an easy handle and remembers whether libcurl took them all.
struct CurlOptions {
    private let easy: UnsafeMutableRawPointer
    private(set) var wereTaken = true

    init(_ easy: UnsafeMutableRawPointer) {
        self.easy = easy
    }

    mutating func set(_ option: CURLoption, _ value: Int) {
        note(pl_curl_set_long(easy, option, value))
    }

    mutating func set(_ option: CURLoption, _ value: Bool) {
        note(pl_curl_set_long(easy, option, value ? 1 : 0))
    }

    mutating func set(_ option: CURLoption, _ value: String) {
        note(pl_curl_set_string(easy, option, value))
    }

    mutating func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        note(pl_curl_set_pointer(easy, option, pointer))
    }

    /// libcurl takes a copy.
    mutating func set(_ option: CURLoption, blob: UnsafeRawBufferPointer) {
        note(pl_curl_set_blob(easy, option, blob.baseAddress, blob.count))
    }

    mutating func set(_ option: CURLoption, callback: pl_curl_data_callback) {
        note(pl_curl_set_data_callback(easy, option, callback))
    }

    mutating func note(_ code: CURLcode) {
        if code != CURLE_OK { wereTaken = false }
    }

    /// What every connection needs: the address, TLS that verifies, deadlines, no signals, no redirects.
    mutating func setConnection(_ url: CurlURL, _ configuration: NetworkConfiguration) {
        note(pl_curl_set_url(easy, url.handle))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_NOSIGNAL, true)
        // A lookup that hangs in its own thread must not hold up whoever gives up waiting for it.
        set(CURLOPT_QUICK_EXIT, true)
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        set(CURLOPT_SSL_VERIFYPEER, true)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        setTrust(configuration.trust)
        // Never through a proxy from the environment: it would carry our own machine's secrets elsewhere.
        if let proxy = url.isLoopback ? "" : configuration.proxy { set(CURLOPT_PROXY, proxy) }
        note(pl_curl_set_socket_options(easy))
    }
}

extension Duration {
    /// Rounded up, so that a short wait does not become none; at least 1, for 0 means "for ever" to libcurl.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(Int(min(seconds, 1_000_000)) * 1_000 + Int(milliseconds), 1)
    }
}
