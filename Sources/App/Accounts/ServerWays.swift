import Addresses
import Diagnostics
import Networking
import SupabaseBackend
import Synchronization

/// The ways to servers: whom to trust on them, and whether they may be unencrypted. What the settings say about a
/// server comes before what was said at its sign-in.
struct ServerWays: Sendable {
    let known: KnownServers
    private let folder: String
    private let log: Log
    private let networks = Networks()

    /// - Parameter folder: Where the accounts are kept.
    init(knowing known: KnownServers, folder: String, log: Log) {
        self.known = known
        self.folder = folder
        self.log = log
    }

    /// Without a way of their own; for what asks no server.
    var accounts: SupabaseAccounts { way(trusting: nil, allowsPlainHTTP: false) }

    /// To a server that somebody typed.
    /// - Parameters:
    ///   - caFile: Named with it; an absolute path.
    ///   - acceptsPlainHTTP: Whether that was said with it.
    func way(to address: String, caFile: String? = nil, acceptsPlainHTTP: Bool = false) -> SupabaseAccounts {
        way(
            trusting: caFile ?? known.ownCAFile(of: address) ?? keptCAFile(for: address) ?? known.caFile,
            allowsPlainHTTP: acceptsPlainHTTP || known.allowsPlainHTTP(to: address))
    }

    /// To the server of a kept account.
    func way(of kept: SupabaseAccount) -> SupabaseAccounts {
        let isAllowed = kept.allowsPlainHTTP && known.allowsPlainHTTP(to: kept.baseURL)
        return way(trusting: caFile(of: kept), allowsPlainHTTP: isAllowed || kept.acceptsPlainHTTP == true)
    }

    /// The file of certificates that counts for a kept account.
    func caFile(of kept: SupabaseAccount) -> String? {
        known.ownCAFile(of: kept.baseURL) ?? kept.caFile ?? known.caFile
    }

    /// What another account at the same server was signed in with: a new one there needs the same.
    func keptCAFile(for address: String) -> String? {
        // What cannot be read is no account's server; the sign-in is going to say so.
        guard let read = try? ServerAddress(address, allowsPlainHTTP: true) else { return nil }
        return accounts.all().first { $0.baseURL == read.base && $0.caFile != nil }?.caFile
    }

    /// The key another account at the same server was signed in with; it names the project and is no secret.
    func keptKey(for address: String) -> String? {
        guard let read = try? ServerAddress(address, allowsPlainHTTP: true) else { return nil }  // see above
        return accounts.all().first { $0.baseURL == read.base && !$0.key.isEmpty }?.key
    }

    private func way(trusting path: String?, allowsPlainHTTP: Bool) -> SupabaseAccounts {
        let route = Networks.Route(trust: Trust(file: path), allowsPlainHTTP: allowsPlainHTTP)
        return SupabaseAccounts(
            folder: folder, network: networks.network(route), allowsPlainHTTP: allowsPlainHTTP, log: log)
    }
}

/// One network for each kind of connection, so that accounts share what they can.
private final class Networks: Sendable {
    struct Route: Hashable {
        let trust: Trust
        let allowsPlainHTTP: Bool
    }

    private let made = Mutex<[Route: SupabaseNetwork]>([:])

    func network(_ route: Route) -> SupabaseNetwork {
        made.withLock { made in
            if let network = made[route] { return network }
            let network = SupabaseNetwork.system(
                NetworkConfiguration(trust: route.trust, allowsPlainHTTP: route.allowsPlainHTTP))
            made[route] = network
            return network
        }
    }
}
