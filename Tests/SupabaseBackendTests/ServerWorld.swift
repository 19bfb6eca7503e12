import Backend
import FoundationEssentials
import Glibc
import Models
import Networking
import Server
import SupabaseBackend
import TestSupport

/// A fresh server on loopback with people at it, and a folder for their accounts. Gone with the test.
struct ServerWorld {
    let server: ChatServer
    let address: ServingAddress
    let place: TemporaryFolder
    let accounts: SupabaseAccounts
    var folder: String { place.path }

    static func start(_ change: (inout ServerConfiguration) -> Void = { _ in }) async throws -> ServerWorld {
        var configuration = ServerConfiguration()
        configuration.passwordCost = .least
        change(&configuration)
        let server = ChatServer(configuration)
        let address = try await server.start()
        let place = try TemporaryFolder()
        let accounts = SupabaseAccounts(folder: place.path + "/accounts", network: .system())
        return ServerWorld(server: server, address: address, place: place, accounts: accounts)
    }

    func signUp(_ name: String) async throws -> SupabaseAccount {
        try await accounts.signUp(credentials(name), username: name, displayName: name.capitalized)
    }

    func credentials(_ name: String) -> SupabaseAccounts.Credentials {
        SupabaseAccounts.Credentials(
            server: address.baseURL, key: address.publishableKey, email: "\(name)@example.test",
            password: "correct horse \(name)")
    }

    func person(_ name: String) async throws -> SupabaseBackend {
        try accounts.backend(of: try await signUp(name))
    }

    /// Ana and Ben with a conversation.
    func pair() async throws -> ContractWorld {
        let ana = try await person("ana")
        let ben = try await person("ben")
        let id = try await ana.createConversation(id: UUID(), with: [ben.userID], title: nil, isGroup: false)
        return ContractWorld(ana: ana, ben: ben, conversationID: id)
    }

    func end() async { await server.stop() }
}

/// An empty folder of its own, gone with its last owner.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/pingline-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // a leftover harms nobody
}
