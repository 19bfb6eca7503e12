import CCurl
import Glibc

/// libcurl's codes in our words.
enum CurlFailure {
    /// - Parameters:
    ///   - easy: The handle the code came from; it knows the system's error and the proxy's answer.
    ///   - watch: What saw the certificates of its connections.
    static func error(
        _ code: CURLcode, of easy: UnsafeMutableRawPointer, _ watch: CertificateWatch? = nil
    ) -> NetworkError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case CURLE_COULDNT_CONNECT:
            number(CURLINFO_OS_ERRNO, easy) == Int(ECONNREFUSED) ? .refused : .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .tls(.handshake)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tls(.certificate(watch?.problem ?? .other(code: 0)))
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_INITFAILED: .tls(.noAuthorities)
        case CURLE_RECV_ERROR where proxyRefused(easy): .proxy
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .connectionLost
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND: .connectionLost
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            .protocolViolation
        default: .other(code: Int32(bitPattern: code.rawValue))
        }
    }

    private static func proxyRefused(_ easy: UnsafeMutableRawPointer) -> Bool {
        let status = number(CURLINFO_HTTP_CONNECTCODE, easy)
        return status != 0 && status != 200
    }

    private static func number(_ info: CURLINFO, _ easy: UnsafeMutableRawPointer) -> Int {
        var value = 0
        _ = pl_curl_get_long(easy, info, &value)
        return value
    }
}
