import FoundationEssentials
import Models
import Store
import SupabaseBackend

extension Rescue {
    /// What to tell the user: what waited was carried over, the rest comes from the server again.
    var userCopy: UserCopy {
        let kept =
            switch messages {
            case 0: ""
            case 1: " 1 message that waited was carried over."
            default: " \(messages) messages that waited were carried over."
            }
        return UserCopy(
            "The local store was damaged and is built anew.\(kept)",
            next: "The old one is kept as \(setAsideAs).")
    }
}

extension SupabaseAccount {
    /// What tells the account from others: what its owner calls it or the server, or the server's own name.
    func label(_ known: KnownServers) -> String { label ?? known.name(of: baseURL) ?? serverName }

    /// The server's host, and the port where it is no usual one.
    private var serverName: String {
        guard let parts = URLComponents(string: baseURL), let host = parts.host else { return baseURL }
        return parts.port.map { "\(host):\($0)" } ?? host
    }
}

extension StoreError {
    /// Whether the account can be used from memory all the same.
    var allowsMemory: Bool {
        switch self {
        case .diskFull, .readOnly, .failed: true
        case .damaged, .tooNew, .inUse, .closed: false
        }
    }

    /// What to tell of an account that is used from memory.
    var memoryCopy: UserCopy {
        let what =
            switch self {
            case .diskFull: "The disk is full: nothing is kept when you quit."
            case .readOnly: "The account's folder cannot be written: nothing is kept when you quit."
            case .failed, .damaged, .tooNew, .inUse, .closed:
                "The local store cannot be used: nothing is kept when you quit."
            }
        return UserCopy(what, next: "What waited goes out all the same; mend it and start again.")
    }
}
