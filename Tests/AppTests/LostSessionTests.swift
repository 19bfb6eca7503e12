import FoundationEssentials
import Models
import Settings
import Store
import Sync
import Testing
import ViewModels

@testable import App

/// A session that ended while something waits: the queue waits with it, for the same person only.
@Suite struct LostSessionTests {
    private func request(_ address: String, _ name: String, isNew: Bool = true) -> SignInRequest {
        SignInRequest(
            address: address, isNew: isNew, email: "\(name)@example.test", password: "correct horse",
            username: name, displayName: name.capitalized)
    }

    private func open(_ surroundings: Surroundings) -> OpenAccounts {
        OpenAccounts(surroundings, knowing: KnownServers(Settings()))
    }

    private func detail(
        _ account: Account, until isWanted: (LinkDetail) -> Bool
    ) async -> LinkDetail? {
        for await detail in await account.service.linkDetail() where isWanted(detail) { return detail }
        return nil
    }

    /// Ana, Ben, their room, and a message of Ana's that waits in a closed store whose session is gone.
    private func prepare(_ address: String, _ surroundings: Surroundings) async throws -> (UUID, AccountID) {
        let accounts = open(surroundings)
        let ana = try await accounts.signIn(request(address, "ana"))
        _ = try await accounts.signIn(request(address, "ben"))
        let found = try await ana.service.people(matching: "ben")
        let room = try await ana.service.startConversation(with: found.map(\.id), title: nil, isGroup: false)
        var me: Person?
        for await person in await ana.service.profile() where !person.username.isEmpty {
            me = person
            break
        }
        let userID = try #require(me).id
        await accounts.close()
        let folder = surroundings.directories.account(ana.id.rawValue.text)
        let store = try MessageStore.open(directory: folder, for: userID)
        try await store.enqueue(
            Message(
                id: UUID(), conversationID: room, senderID: userID, body: "waiting words", createdAt: Date(),
                deliveryState: .sending))
        await store.close()
        try FileManager.default.removeItem(atPath: folder + "/secrets.json")
        return (room, ana.id)
    }

    @Test(.timeLimit(.minutes(1))) func theQueueWaitsForTheSamePersonAndGoesOutOnce() async throws {
        try await withServer { address, surroundings in
            let (room, anaID) = try await prepare(address, surroundings)
            let accounts = open(surroundings)
            let kept = await accounts.openKept().compactMap { outcome in
                if case .opened(let account) = outcome { account } else { nil }
            }
            let lost = try #require(kept.first { $0.id == anaID })
            let told = await detail(lost) { $0.reason == .signedOut }
            #expect(told?.waitingCount == 1)
            #expect(lost.facts?.email == "ana@example.test")

            // Somebody else on the same server sends nothing of it.
            let ben = try await accounts.signIn(request(address, "ben", isNew: false))
            for await status in await ben.service.connectionStatus() where status == .connected { break }
            #expect(await detail(lost) { $0.waitingCount == 1 }?.reason == .signedOut)

            let ana = try await accounts.signIn(request(address, "ana", isNew: false))
            #expect(ana.id == anaID)
            _ = await detail(ana) { $0.waitingCount == 0 && $0.reason == nil }
            var came: [Message] = []
            for await message in await ben.service.messageStream(for: room) {
                came.append(message)
                if message.body == "waiting words" { break }
            }
            #expect(came.map(\.body) == ["waiting words"])
            #expect(came.first?.senderID != nil)
            let bens = await ben.service.openThread(room).page
            #expect(bens.map(\.body) == ["waiting words"])
            #expect(bens.first?.deliveryState == .sent)
            await accounts.close()
        }
    }
}
