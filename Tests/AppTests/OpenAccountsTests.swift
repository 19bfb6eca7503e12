import FoundationEssentials
import Glibc
import Models
import Settings
import Sync
import Testing
import ViewModels

@testable import App

@Suite struct OpenAccountsTests {
    private func request(
        _ address: String, isNew: Bool = true, password: String = "correct horse", name: String = "ana"
    ) -> SignInRequest {
        SignInRequest(
            address: address, isNew: isNew, email: "\(name)@example.test", password: password, username: name,
            displayName: name.capitalized)
    }

    private func open(_ surroundings: Surroundings) -> OpenAccounts {
        OpenAccounts(surroundings, knowing: KnownServers(Settings()))
    }

    @Test func anAccountThatWasMadeIsThereAtTheNextStart() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            let made = try await first.signIn(request(address))
            await first.close()

            let second = open(surroundings)
            let outcomes = await second.openKept()
            #expect(outcomes.compactMap { $0.account?.id } == [made.id])
            await second.close()
        }
    }

    @Test(.timeLimit(.minutes(2))) func aFileGoesFromOneAccountToAnother() async throws {
        try await withServer { address, surroundings in
            let accounts = open(surroundings)
            let ana = try await accounts.signIn(request(address))
            let ben = try await accounts.signIn(request(address, name: "ben"))
            let found = try await ana.service.people(matching: "ben")
            let room = try await ana.service.startConversation(
                with: found.map(\.id), title: nil, isGroup: false)
            let home = try #require(surroundings.environment["HOME"])
            let bytes = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) })
            try bytes.write(to: URL(filePath: home + "/film.mp4"))

            let file = try #require(try await ana.files?.attach("~/film.mp4"))
            try await ana.service.send("", in: room, replyTo: nil, file: file)
            try await ana.service.send("seen?", in: room, replyTo: nil)
            var came: [Message] = []
            for await message in await ben.service.messageStream(for: room) {
                came.append(message)
                if came.count == 2 { break }
            }
            #expect(came.map(\.body) == ["", "seen?"])
            let attachment = try #require(came.first?.attachment)
            #expect(attachment.name == "film.mp4" && attachment.size == 2_000_000)
            let place = try await ben.files?.save(attachment, in: nil) { _, _ in }
            #expect(place == home + "/film (2).mp4")
            #expect(FileManager.default.contents(atPath: home + "/film (2).mp4") == bytes)
            await accounts.close()
            let spool = surroundings.directories.account(ana.id.rawValue.text) + "/spool"
            #expect(try FileManager.default.contentsOfDirectory(atPath: spool).isEmpty)
        }
    }

    @Test func aSecondProgramIsToldWhoHasTheAccount() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            _ = try await first.signIn(request(address))
            let second = open(surroundings)
            let outcomes = await second.openKept()
            #expect(outcomes.count == 1)
            #expect(outcomes.first?.trouble?.what.contains("another place") == true)
            await first.close()
            await second.close()
        }
    }

    @Test func aDamagedStoreIsSetAsideWithANotice() async throws {
        try await withServer { address, surroundings in
            let first = open(surroundings)
            let made = try await first.signIn(request(address))
            await first.close()
            let folder = surroundings.directories.account(made.id.rawValue.text)
            for name in ["store.sqlite-wal", "store.sqlite-shm"] { unlink("\(folder)/\(name)") }
            try Data(repeating: 0x5A, count: 8_192).write(to: URL(filePath: folder + "/store.sqlite"))

            let second = open(surroundings)
            let outcomes = await second.openKept()
            #expect(outcomes.compactMap { $0.account?.id } == [made.id])
            #expect(outcomes.compactMap { $0.trouble?.what }.first?.contains("damaged") == true)
            await second.close()
        }
    }

    @Test func aWrongPasswordOpensNothing() async throws {
        try await withServer { address, surroundings in
            let accounts = open(surroundings)
            _ = try await accounts.signIn(request(address))
            await #expect(throws: SignInError.wrongPassword) {
                try await accounts.signIn(request(address, isNew: false, password: "wrong horse"))
            }
            await accounts.close()
        }
    }

    @Test func signingInAgainStartsTheAccountAnew() async throws {
        try await withServer { address, surroundings in
            let accounts = open(surroundings)
            let made = try await accounts.signIn(request(address))
            let again = try await accounts.signIn(request(address, isNew: false))
            #expect(again.id == made.id)
            for await status in await again.service.connectionStatus() where status == .connected { break }
            await accounts.close()
        }
    }

    @Test func aSignedOutAccountStaysClosed() async throws {
        try await withServer { address, surroundings in
            let accounts = open(surroundings)
            let made = try await accounts.signIn(request(address))
            await accounts.signOut(made.id)
            await accounts.close()
            let outcomes = await open(surroundings).openKept()
            #expect(outcomes.isEmpty)
        }
    }

    @Test func nothingOfAnAccountIsReadableByOthers() async throws {
        try await withServer { address, surroundings in
            let old = umask(0)
            defer { umask(old) }
            let accounts = open(surroundings)
            _ = try await accounts.signIn(request(address))
            await accounts.close()
            let base = surroundings.directories.data
            let paths = try FileManager.default.subpathsOfDirectory(atPath: base)
            for name in paths {
                var status = stat()
                #expect(lstat(base + "/" + name, &status) == 0)
                #expect(status.st_mode & 0o077 == 0, "\(name)")
            }
            #expect(paths.count > 3)
        }
    }
}

extension OpenAccounts.Outcome {
    fileprivate var account: Account? {
        if case .opened(let account) = self { account } else { nil }
    }

    fileprivate var trouble: UserCopy? {
        if case .trouble(let words) = self { words } else { nil }
    }
}
