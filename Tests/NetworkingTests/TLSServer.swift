import FoundationEssentials
import Glibc

@testable import Networking

/// A TLS server: the `openssl` program with a certificate made for the test. What it decrypts and encrypts
/// goes through a socket pair, so the test sees plain bytes.
final class TLSServer {
    static let program = "/usr/bin/openssl"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    let port: UInt16
    let certificate: String
    /// The plain side; silent with `-www`.
    let peer: StubPeer
    private let folder: String
    private let child: pid_t

    struct Failure: Error {}

    /// - Parameters:
    ///   - arguments: `-www` answers requests by itself; `-quiet` leaves both directions to the test.
    ///   - name: What the certificate is for.
    init(_ arguments: [String], name: String = "IP:127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID().uuidString)"
        certificate = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        guard mkdir(folder, 0o700) == 0 else { throw Failure() }
        let maker = try Self.spawn([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
        ])
        guard Self.wait(for: maker.child) == 0 else { throw Failure() }
        port = try StubServer { _ in }.port  // free again in a moment
        let server = try Self.spawn(
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key] + arguments)
        (child, peer) = (server.child, server.peer)
    }

    deinit {
        kill(child, SIGKILL)
        _ = Self.wait(for: child)
        for name in ["key.pem", "certificate.pem"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    var url: String { "https://127.0.0.1:\(port)/" }

    private static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = -1
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func spawn(_ arguments: [String]) throws -> (child: pid_t, peer: StubPeer) {
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
