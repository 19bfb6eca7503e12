import Backend
import FoundationEssentials
import Models
import Server
import Settings
import SupabaseBackend
import Sync
import Testing
import ViewModels

@testable import App

/// A server that cuts its answers without a word, as it was reported of other messengers.
@Suite(.timeLimit(.minutes(3))) struct ShortPageTrialTests {
    private func credentials(_ name: String, _ address: ServingAddress) -> SupabaseAccounts.Credentials {
        .init(
            server: address.baseURL, key: address.publishableKey, email: "\(name)@example.test",
            password: "correct horse")
    }

    /// Runs at a server that gives no more than fifty rows at a time.
    private func withServer(_ body: (ServingAddress, String) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "pingline-app-\(UUID())").path
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }  // leftovers in the temporary directory
        var configuration = ServerConfiguration()
        configuration.passwordCost = .least
        configuration.limits.rowsPerAnswer = 50
        let server = ChatServer(configuration)
        let address = try await server.start()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(address, home)) } catch { outcome = .failure(error) }
        await server.stop()
        try outcome.get()
    }

    /// Ana with 130 conversations, one of them with 80 others, 400 messages, and a reaction of each of them on the
    /// last.
    private func fill(_ address: ServingAddress, _ folder: String) async throws -> UUID {
        let accounts = SupabaseAccounts(folder: folder, network: .system())
        var people: [SupabaseBackend] = []
        for number in 0...80 {
            let name = number == 0 ? "ana" : "person\(number)"
            let account = try await accounts.signUp(
                credentials(name, address), username: name, displayName: name)
            people.append(try accounts.backend(of: account))
        }
        let (ana, others) = (people[0], people.dropFirst())
        for number in 1..<130 {
            _ = try await ana.createConversation(
                id: UUID(), with: [people[1].userID], title: "Group \(number)", isGroup: true)
        }
        let crew = try await ana.createConversation(
            id: UUID(), with: others.map(\.userID), title: "Crew", isGroup: true)
        var last = UUID()
        for number in 1...400 {
            last = UUID()
            let message = OutgoingMessage(id: last, conversationID: crew, body: "message \(number)")
            _ = await people[1].perform(.send(message))
        }
        for person in others {
            _ = await person.perform(
                .react(messageID: last, conversationID: crew, symbol: "👍", isOn: true))
        }
        return crew
    }

    @Test func t15NothingIsMissingWhateverTheServerCuts() async throws {
        try await withServer { address, home in
            let crew = try await fill(address, home + "/others")
            let surroundings = try Surroundings(environment: ["HOME": home])
            let accounts = OpenAccounts(surroundings, knowing: KnownServers(Settings()))
            let ana = try await accounts.signIn(
                SignInRequest(
                    address: address.baseURL, email: "ana@example.test", password: "correct horse")
            ).service
            for await list in await ana.conversations() where list.count == 130 { break }
            for await members in await ana.members(of: crew) where members.count == 81 { break }

            var held: [UUID: Message] = [:]
            for await message in await ana.messageStream(for: crew) {
                held[message.id] = message
                if held.count >= 50, held.values.contains(where: { $0.reactions.first?.count == 80 }) {
                    break
                }
            }
            while let first = held.values.min(by: { Message.isOrdered($0, before: $1) }) {
                let page = try await ana.olderMessages(in: crew, before: first, limit: 100)
                for message in page.messages { held[message.id] = message }
                if page.reachedBeginning { break }
            }
            #expect(Set(held.values.map(\.body)) == Set((1...400).map { "message \($0)" }))
            await accounts.close()
        }
    }
}
