import FoundationEssentials
import Glibc

@testable import Networking

/// A TLS server: a program with a certificate made for the test. What it decrypts and encrypts
/// goes through a socket pair, so the test sees plain bytes.
final class TLSServer {
    /// Which program serves.
    enum Kind {
        /// openssl: `-www` answers requests by itself; `-quiet` leaves both directions to the test.
        case openssl(String)
        /// nghttpd: the folder of the certificate over HTTP/2.
        case nghttpd
    }

    static let openssl = "/usr/bin/openssl"
    static let nghttpd = "/usr/sbin/nghttpd"

    static func isInstalled(_ program: String) -> Bool { access(program, X_OK) == 0 }

    let port: UInt16
    let certificate: String
    /// The plain side; silent with `-www`.
    let peer: StubPeer
    private let folder: String
    private let child: pid_t

    struct Failure: Error {}

    /// - Parameter name: What the certificate is for.
    init(_ kind: Kind, name: String = "IP:127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID().uuidString)"
        certificate = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        guard mkdir(folder, 0o700) == 0 else { throw Failure() }
        let maker = try Self.spawn(
            Self.openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "2",
                "-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
            ])
        guard Self.wait(for: maker.child) == 0 else { throw Failure() }
        port = try StubServer { _ in }.port  // free again in a moment
        let server =
            switch kind {
            case .openssl(let mode):
                try Self.spawn(
                    Self.openssl,
                    ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, mode])
            case .nghttpd:
                try Self.spawn(Self.nghttpd, ["-a", "127.0.0.1", "-d", folder, "\(port)", key, certificate])
            }
        (child, peer) = (server.child, server.peer)
    }

    deinit {
        kill(child, SIGKILL)
        _ = Self.wait(for: child)
        for name in ["key.pem", "certificate.pem"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    var url: String { "https://127.0.0.1:\(port)/" }

    /// Sends a request, again until the server listens.
    static func send(
        _ request: HTTPRequest, _ client: HTTPClient
    ) async throws(NetworkError) -> HTTPResponse {
        while true {
            do throws(NetworkError) {
                return try await client.send(request)
            } catch {
                guard error == .refused || error == .timedOut else { throw error }
            }
        }
    }

    private static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = -1
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func spawn(_ program: String, _ arguments: [String]) throws -> (
        child: pid_t, peer: StubPeer
    ) {
        let (socket, peer) = StubPeer.pair()
        defer { close(socket) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else { throw Failure() }
        return (child, peer)
    }
}
