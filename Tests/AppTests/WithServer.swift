import FoundationEssentials
import Server

@testable import App

/// Runs with a server that knows nobody and a home where nothing is; both are gone afterwards.
/// - Parameter body: Takes the server's address.
func withServer(_ body: (String, Surroundings) async throws -> Void) async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "pingline-app-\(UUID())").path
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }  // leftovers in the temporary directory
    var configuration = ServerConfiguration()
    configuration.passwordCost = .least
    let server = ChatServer(configuration)
    let address = try await server.start()
    let outcome: Result<Void, any Error>
    do {
        outcome = .success(try await body(address.baseURL, try Surroundings(environment: ["HOME": home])))
    } catch { outcome = .failure(error) }
    await server.stop()
    try outcome.get()
}
