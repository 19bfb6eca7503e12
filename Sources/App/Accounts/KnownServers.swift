import Addresses
import Networking
import Settings

/// What `config.toml` says about servers, looked up by their address.
struct KnownServers: Sendable {
    private struct Entry {
        var name: String
        var key: String?
        var allowsPlainHTTP: Bool
        var caFile: String?
    }

    private var entries: [String: Entry] = [:]
    /// Trusted besides the system's authorities for every server; an absolute path.
    let caFile: String?

    /// Every address of the file, in its order.
    private(set) var addresses: [String] = []
    /// What keeps files that the settings name from being used, one line each.
    private(set) var troubles: [String] = []

    /// - Parameters:
    ///   - folder: Where the settings are; relative paths in them begin there.
    ///   - home: Stands for `~`.
    init(_ settings: Settings, in folder: String = "/", home: String? = nil) {
        func absolute(_ path: String) -> String { UserPath.absolute(path, in: folder, home: home) }
        caFile = settings.caFile.map(absolute)
        if let trouble = caFile.flatMap(Self.trouble) {
            troubles.append("config.toml, network.ca_file: \(trouble)")
        }
        for account in settings.accounts {
            guard case .supabase(let address, let key, let allowsPlainHTTP, let written) = account.service
            else {
                continue
            }
            let file = written.map(absolute)
            if let trouble = file.flatMap(Self.trouble) {
                troubles.append("config.toml, ca_file of \(account.name): \(trouble)")
            }
            if entries[address.base] == nil { addresses.append(address.base) }
            entries[address.base] = Entry(
                name: account.name, key: key, allowsPlainHTTP: allowsPlainHTTP, caFile: file)
        }
    }

    /// What the user calls the server.
    func name(of address: String) -> String? { entry(address)?.name }

    /// The project's publishable key, where the file has it.
    func key(of address: String) -> String? { entry(address)?.key }

    /// Whether the user allowed unencrypted connections to it.
    func allowsPlainHTTP(to address: String) -> Bool { entry(address)?.allowsPlainHTTP ?? false }

    /// The certificates for this server alone, where the file names them; an absolute path.
    func ownCAFile(of address: String) -> String? { entry(address)?.caFile }

    /// - Parameter address: As typed; one that cannot be read is known to nobody.
    private func entry(_ address: String) -> Entry? {
        guard let read = try? ServerAddress(address, allowsPlainHTTP: true) else { return nil }
        return entries[read.base]
    }

    private static func trouble(_ path: String) -> String? {
        guard case .unusable(let error) = Trust(file: path) else { return nil }
        return "\(error.what) \(error.next)"
    }
}
