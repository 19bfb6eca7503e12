import Addresses
import Settings

/// What `config.toml` says about servers, looked up by their address.
struct KnownServers: Sendable {
    private var entries: [String: (name: String, key: String?, allowsPlainHTTP: Bool)] = [:]

    /// Every address of the file, in its order.
    private(set) var addresses: [String] = []

    init(_ settings: Settings) {
        for account in settings.accounts {
            guard case .supabase(let address, let key, let allowsPlainHTTP) = account.service else {
                continue
            }
            if entries[address.base] == nil { addresses.append(address.base) }
            entries[address.base] = (account.name, key, allowsPlainHTTP)
        }
    }

    /// What the user calls the server.
    func name(of address: String) -> String? { entry(address)?.name }

    /// The project's publishable key, where the file has it.
    func key(of address: String) -> String? { entry(address)?.key }

    /// Whether the user allowed unencrypted connections to it.
    func allowsPlainHTTP(to address: String) -> Bool { entry(address)?.allowsPlainHTTP ?? false }

    /// - Parameter address: As typed; one that cannot be read is known to nobody.
    private func entry(_ address: String) -> (name: String, key: String?, allowsPlainHTTP: Bool)? {
        guard let read = try? ServerAddress(address, allowsPlainHTTP: true) else { return nil }
        return entries[read.base]
    }
}
