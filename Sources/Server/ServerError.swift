/// Why the embedded server could not start.
package enum ServerError: Error, Equatable, Sendable {
    /// The host is reachable from other machines, and that was not asked for.
    case widerListening(host: String)
    /// The host is no numeric address.
    case badHost(String)
    /// Nothing can listen there: the port is taken, or needs more rights.
    case cannotListen(host: String, port: UInt16)
    /// The data directory cannot be made, or not kept private.
    case directory(String)
    /// The data cannot be read or written.
    case storage(String)
    /// Another process serves this data directory.
    case inUse(String)
    case alreadyRunning

    /// What happened, and what to do next.
    package var message: (what: String, next: String) {
        switch self {
        case .widerListening(let host):
            (
                "\(host) is reachable from other machines, and this server speaks without encryption.",
                "Listen on 127.0.0.1, or allow it explicitly when a proxy with TLS stands in front."
            )
        case .badHost(let host):
            ("\(host) is not a numeric address.", "Use an address such as 127.0.0.1.")
        case .cannotListen(let host, let port):
            ("Nothing can listen on \(host), port \(port).", "Choose another port, or end what uses it.")
        case .directory(let path):
            ("The data directory \(path) cannot be used.", "Check that it belongs to you and can be written.")
        case .storage:
            ("The server's data cannot be opened.", "Check the disk, or start with another data directory.")
        case .inUse(let path):
            ("Another server uses \(path).", "Stop it, or choose another data directory.")
        case .alreadyRunning:
            ("The server runs already.", "Stop it before starting it again.")
        }
    }
}
