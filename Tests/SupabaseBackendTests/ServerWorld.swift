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
    let folder: String
    let accounts: SupabaseAccounts

    static func start(_ change: (inout ServerConfiguration) -> Void = { _ in }) async throws -> ServerWorld {
        var configuration = ServerConfiguration()
        configuration.passwordCost = .least
        change(&configuration)
        let server = ChatServer(configuration)
        let address = try await server.start()
        let folder = try temporaryFolder()
        let accounts = SupabaseAccounts(folder: folder + "/accounts", network: .system())
        return ServerWorld(server: server, address: address, folder: folder, accounts: accounts)
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

    func end() async {
        await server.stop()
        try? FileManager.default.removeItem(atPath: folder)  // a leftover harms nobody
    }
}

/// An empty folder of its own.
func temporaryFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/pingline-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}
