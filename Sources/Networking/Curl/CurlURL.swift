import CCurl

/// An address as libcurl itself reads it.
///
/// What is checked here is what is then connected to: two parsers of one text could see two hosts.
final class CurlURL {
    /// libcurl's own form, for `CURLOPT_CURLU`; valid as long as this object.
    let handle: OpaquePointer
    /// `http` or `https`; `ws` and `wss` have become these.
    let scheme: String
    /// In lower case; IPv6 in brackets.
    let host: String
    /// As written; `nil` means the scheme's own.
    let port: Int?
    /// Path and query, as they stand in the request line.
    let target: String

    /// - Throws: `.invalidURL` also for user names and passwords, which belong in headers.
    init(_ text: String) throws(NetworkError) {
        guard CurlLibrary.isReady else { throw .libraryMissing }
        guard let made = curl_url() else { throw .other(code: 0) }
        do {
            let flags = UInt32(CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME)
            guard curl_url_set(made, CURLUPART_URL, text, flags) == CURLUE_OK,
                let written = Self.part(CURLUPART_SCHEME, of: made), let scheme = Self.schemes[written],
                curl_url_set(made, CURLUPART_SCHEME, scheme, 0) == CURLUE_OK,
                let host = Self.part(CURLUPART_HOST, of: made), !host.isEmpty,
                let path = Self.part(CURLUPART_PATH, of: made)
            else { throw NetworkError.invalidURL }
            self.scheme = scheme
            self.host = host.lowercased()
            port = Self.part(CURLUPART_PORT, of: made).flatMap { Int($0) }
            target = path + (Self.part(CURLUPART_QUERY, of: made).map { "?" + $0 } ?? "")
            handle = made
        } catch {
            curl_url_cleanup(made)
            throw .invalidURL
        }
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// Whether the host can only be this machine. libcurl resolves `localhost` without asking a name server.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || Self.isLoopbackAddress(host)
    }

    /// The value of the Host header.
    var authority: String {
        port.map { "\(host):\($0)" } ?? host
    }

    /// - Throws: `.plainHTTPRefused` when bytes would leave this machine readable and that is not allowed;
    ///   `.tls` when whom to trust cannot be told.
    func checkEncryption(_ configuration: NetworkConfiguration) throws(NetworkError) {
        if scheme == "https", case .unusable(let error) = configuration.trust {
            throw .tls(.certificateFile(error))
        }
        guard scheme == "https" || isLoopback || configuration.allowsPlainHTTP else {
            throw .plainHTTPRefused
        }
    }

    private static let schemes = ["http": "http", "https": "https", "ws": "http", "wss": "https"]

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// 127.0.0.0/8, in the dotted form libcurl brings every IPv4 address to.
    private static func isLoopbackAddress(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
