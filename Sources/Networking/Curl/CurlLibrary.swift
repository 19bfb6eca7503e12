import CCurl
import Glibc

/// libcurl's state for the whole process, set up on first use.
enum CurlLibrary {
    /// Whether libcurl can be used at all.
    static let isReady: Bool = {
        ignoreBrokenPipes()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// TLS writes to a socket the peer has closed would otherwise end the process. A disposition that someone
    /// chose is left alone.
    private static func ignoreBrokenPipes() {
        var present = sigaction()
        guard sigaction(SIGPIPE, nil, &present) == 0 else { return }
        if present.__sigaction_handler.sa_handler == nil { signal(SIGPIPE, SIG_IGN) }
    }
}
