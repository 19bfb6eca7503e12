import FoundationEssentials
import Glibc
import Synchronization

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

    /// Who vouches for the server.
    enum Paper {
        case selfSigned
        /// An authority of the test's own, "Team CA" of "Example Inc.", from one time to another.
        case issued(from: String = "20200101000000Z", to: String = "20991231235959Z")
    }

    static let openssl = "/usr/bin/openssl"
    static let nghttpd = "/usr/sbin/nghttpd"

    static func isInstalled(_ program: String) -> Bool { access(program, X_OK) == 0 }

    let port: UInt16
    /// Of whom to trust: the server itself or the authority.
    let certificate: String
    /// The plain side; silent with `-www`.
    let peer: StubPeer
    private let folder: String
    private let child: pid_t

    struct Failure: Error {}

    /// - Parameter name: What the certificate is for.
    init(_ kind: Kind, name: String = "IP:127.0.0.1", paper: Paper = .selfSigned) throws {
        folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID().uuidString)"
        let shown = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        guard mkdir(folder, 0o700) == 0 else { throw Failure() }
        switch paper {
        case .selfSigned:
            try Self.makeSelfSigned(shown, key, subject: "/CN=test", name: name)
            certificate = shown
        case .issued(let start, let end):
            certificate = folder + "/authority.pem"
            try Self.issue(shown, key, in: folder, name: name, from: start, to: end)
        }
        port = try Self.freePort()
        let server =
            switch kind {
            case .openssl(let mode):
                try Self.spawn(
                    Self.openssl,
                    ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", shown, "-key", key, mode])
            case .nghttpd:
                try Self.spawn(Self.nghttpd, ["-a", "127.0.0.1", "-d", folder, "\(port)", key, shown])
            }
        (child, peer) = (server.child, server.peer)
    }

    deinit {
        kill(child, SIGKILL)
        _ = Self.wait(for: child)
        try? FileManager.default.removeItem(atPath: folder)  // left over in the temporary directory
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

    private static func makeSelfSigned(_ certificate: String, _ key: String, subject: String, name: String)
        throws
    {
        try run([
            "req", "-x509", "-utf8", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days",
            "2",
            "-subj", subject, "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
        ])
    }

    private static func issue(
        _ certificate: String, _ key: String, in folder: String, name: String, from start: String,
        to end: String
    ) throws {
        let authority = (folder + "/authority.pem", folder + "/authority-key.pem")
        try makeSelfSigned(
            authority.0, authority.1, subject: "/CN=Team CA/O=Example\u{202E} Inc.", name: "DNS:ca.test")
        let settings = """
            [ca]
            default_ca = team
            [team]
            database = \(folder)/index.txt
            new_certs_dir = \(folder)
            rand_serial = yes
            default_md = sha256
            unique_subject = no
            policy = any
            x509_extensions = site
            [any]
            commonName = supplied
            [site]
            subjectAltName = \(name)
            """
        try Data(settings.utf8).write(to: URL(filePath: folder + "/ca.conf"))
        try Data().write(to: URL(filePath: folder + "/index.txt"))
        try run([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=site",
            "-keyout", key, "-out", folder + "/request.pem",
        ])
        try run([
            "ca", "-batch", "-notext", "-config", folder + "/ca.conf", "-cert", authority.0, "-keyfile",
            authority.1,
            "-in", folder + "/request.pem", "-out", certificate, "-startdate", start, "-enddate", end,
        ])
    }

    private static func run(_ arguments: [String]) throws {
        guard wait(for: try spawn(openssl, arguments).child) == 0 else { throw Failure() }
    }

    private static let portsGiven = Atomic<UInt16>(0)

    /// Below those that the system gives out by itself: one of these would go to another test before the program
    /// listens on it.
    private static func freePort() throws -> UInt16 {
        let first = 20_000 + UInt16(getpid() % 60) * 200
        for _ in 0..<200 {
            let port = first + portsGiven.add(1, ordering: .relaxed).oldValue % 200
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw Failure()
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
