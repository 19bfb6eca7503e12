import FoundationEssentials
import Glibc
import Models
import Settings
import Sync
import Testing
import ViewModels

@testable import App

/// Several accounts, one after the other or at once, in one program; as it was reported of other messengers.
@Suite(.timeLimit(.minutes(2))) struct InstanceTrialTests {
    private func request(_ address: String, _ name: String, isNew: Bool) -> SignInRequest {
        SignInRequest(
            address: address, isNew: isNew, email: "\(name)@example.test", password: "correct horse",
            username: name, displayName: name.capitalized)
    }

    private func open(_ surroundings: Surroundings) -> OpenAccounts {
        OpenAccounts(surroundings, knowing: KnownServers(Settings()))
    }

    @Test func t62SigningInAndOutInTurnsMeetsNoLockAndMixesNothing() async throws {
        try await withServer { address, surroundings in
            let accounts = open(surroundings)
            let cleo = try await accounts.signIn(request(address, "cleo", isNew: true))
            var rooms: [String: UUID] = [:]
            for round in 0..<5 {
                for name in ["ana", "ben"] {
                    // A sign-in that came to nothing leaves no trace.
                    await #expect(throws: SignInError.self) {
                        try await accounts.signIn(
                            SignInRequest(
                                address: address, email: "\(name)@example.test", password: "wrong horse"))
                    }
                    let account = try await accounts.signIn(request(address, name, isNew: round == 0))
                    for await status in await account.service.connectionStatus() where status == .connected {
                        break
                    }
                    if rooms[name] == nil {
                        let found = try await account.service.people(matching: "cleo")
                        rooms[name] = try await account.service.startConversation(
                            with: found.map(\.id), title: nil, isGroup: false)
                    }
                    let room = try #require(rooms[name])
                    for await list in await account.service.conversations() where !list.isEmpty {
                        #expect(list.map(\.id) == [room])
                        break
                    }
                    try await account.service.send("\(name) \(round)", in: room, replyTo: nil)
                    for await message in await account.service.messageStream(for: room)
                    where message.body == "\(name) \(round)" && message.deliveryState != .sending {
                        break
                    }
                    await accounts.signOut(account.id)
                }
            }
            for (name, room) in rooms {
                var bodies: Set<String> = []
                for await message in await cleo.service.messageStream(for: room) {
                    bodies.insert(message.body)
                    if bodies.count == 5 { break }
                }
                #expect(bodies == Set((0..<5).map { "\(name) \($0)" }))
            }
            await accounts.close()
        }
    }

    @Test func t61ATornAccountFileIsToldAtTheStart() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            let made = try await first.signIn(request(address, "ana", isNew: true))
            await first.close()
            let folder = surroundings.directories.account(made.id.rawValue.text)
            try Data("null".utf8).write(to: URL(filePath: folder + "/account.json"))
            let second = open(surroundings)
            let outcomes = await second.openKept()
            guard case .trouble(let words)? = outcomes.first, outcomes.count == 1 else {
                Issue.record("nothing was told")
                return
            }
            #expect(words.what.contains("damaged"))
            let again = try await second.signIn(request(address, "ana", isNew: false))
            #expect(again.id == made.id)
            await second.close()
        }
    }

    @Test func t61ATornSessionIsToldAtTheStart() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            let made = try await first.signIn(request(address, "ana", isNew: true))
            await first.close()
            let folder = surroundings.directories.account(made.id.rawValue.text)
            try Data().write(to: URL(filePath: folder + "/secrets.json"))
            let second = open(surroundings)
            let outcomes = await second.openKept()
            #expect(outcomes.count == 2)
            guard case .trouble(let words)? = outcomes.last else {
                Issue.record("nothing was told")
                return
            }
            #expect(words.what == "The kept session is damaged; it was set aside.")
            await second.close()
        }
    }

    @Test func t60AStoreWithoutAFolderToWriteOpensInMemoryAndSaysSo() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            let made = try await first.signIn(request(address, "ana", isNew: true))
            await first.close()
            let store = surroundings.directories.account(made.id.rawValue.text) + "/store.sqlite"
            for suffix in ["-wal", "-shm", ""] { unlink(store + suffix) }
            mkdir(store, 0o500)  // what is there is no file that could be opened
            let second = open(surroundings)
            let outcomes = await second.openKept()
            guard outcomes.count == 2, case .opened(let account)? = outcomes.first,
                case .trouble(let words)? = outcomes.last
            else {
                Issue.record("\(outcomes.count) outcomes")
                return
            }
            #expect(!account.isKept)
            #expect(words.what.contains("nothing is kept"))
            for await status in await account.service.connectionStatus() where status == .connected { break }
            await second.close()
        }
    }
}
