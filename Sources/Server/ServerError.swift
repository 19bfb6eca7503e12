/// Why the embedded server could not start.
package enum ServerError: Error, Equatable, Sendable {
    /// The host is reachable from other machines, and that was not asked for.
    case widerListening(host: String)
    /// The host is no numeric address.
    case badHost(String)
    /// Another program listens there.
    case portTaken(host: String, port: UInt16)
    /// The port needs more rights than this process has.
    case portNotAllowed(UInt16)
    /// The host is no address of this machine.
    case addressNotHere(String)
    /// Nothing can listen there, for another reason.
    case cannotListen(host: String, port: UInt16)
    /// The data directory cannot be made, or not kept private.
    case directory(String)
    /// The file is no database, or its pages are damaged.
    case damaged(file: String)
    /// The file was written by a Pingline that knows more than this one.
    case newer(file: String)
    /// The disk that holds the data is full.
    case diskFull(file: String)
    /// The data cannot be read or written; with what failed, for the log.
    case storage(String)
    /// Another process serves this data directory.
    case inUse(String)
    case alreadyRunning
    /// libmicrohttpd is not on this machine.
    case libraryMissing

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
        case .libraryMissing:
            ("libmicrohttpd is missing on this machine.", "Install the package libmicrohttpd12.")
        case .portTaken(let host, let port):
            (
                "Port \(port) of \(host) is taken by another program.",
                "Choose another with --port, or end what uses it."
            )
        case .portNotAllowed(let port):
            ("Port \(port) is reserved for the system.", "Choose one from 1024 up with --port.")
        case .addressNotHere(let host):
            ("\(host) is no address of this machine.", "Listen on 127.0.0.1, or on one of its own addresses.")
        case .cannotListen(let host, let port):
            ("Nothing can listen on \(host), port \(port).", "Choose another address or port.")
        case .directory(let path):
            (
                "The data directory \(path) cannot be used.",
                "Check that it is a folder, belongs to you and can be written."
            )
        case .damaged(let file):
            (
                "The file \(file) is damaged.",
                "Put a backup in its place, or move it away to begin with an empty server. It was left as it is."
            )
        case .newer(let file):
            ("The file \(file) is from a newer Pingline.", "Update this one. The file was left as it is.")
        case .diskFull(let file):
            ("There is no room left on the disk of \(file).", "Make room, and start again.")
        case .storage:
            ("The server's data cannot be opened.", "Check the disk, or start with another data directory.")
        case .inUse(let path):
            ("Another server uses \(path).", "Stop it, or choose another data directory.")
        case .alreadyRunning:
            ("The server runs already.", "Stop it before starting it again.")
        }
    }
}
