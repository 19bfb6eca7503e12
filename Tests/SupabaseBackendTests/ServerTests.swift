import Backend
import FoundationEssentials
import Models
import Networking
import Secrets
import Server
import TestSupport
import Testing

@testable import SupabaseBackend

/// The backend and the embedded server, over real sockets.
@Suite struct ServerTests {
    @Test func openingAndLeavingAThousandTimesLeavesNoChannel() async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        var events = try await pair.ana.connect().makeAsyncIterator()
        while let event = await events.next(), event != .live {}
        for _ in 0..<1_000 {
            await pair.ana.joinChannel(of: pair.conversationID)
            await pair.ana.leaveChannel(of: pair.conversationID)
        }
        while await world.server.health().channels > 1 { await Task.yield() }
        await pair.ana.joinChannel(of: pair.conversationID)
        while await world.server.health().channels < 2 { await Task.yield() }
        await world.end()
    }

    @Test func droppingTheEventsLeavesNoSocket() async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        do {
            var events = try await pair.ana.connect().makeAsyncIterator()
            while let event = await events.next(), event != .live {}
            #expect(await world.server.health().sockets == 1)
        }
        while await world.server.health().sockets > 0 { await Task.yield() }
        await world.end()
    }

    @Test func typingAndPresenceReachTheOther() async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        var anas = try await pair.ana.connect().makeAsyncIterator()
        var bens = try await pair.ben.connect().makeAsyncIterator()
        while let event = await anas.next(), event != .live {}
        while let event = await bens.next(), event != .live {}
        await pair.ana.joinChannel(of: pair.conversationID)
        await pair.ben.joinChannel(of: pair.conversationID)
        let both: Set<UUID> = [pair.ana.userID, pair.ben.userID]
        while let event = await anas.next() {
            if event == .presence(conversationID: pair.conversationID, userIDs: both) { break }
        }
        await pair.ben.setTyping(true, in: pair.conversationID)
        while let event = await anas.next() {
            if event == .typing(conversationID: pair.conversationID, userID: pair.ben.userID, isTyping: true)
            {
                break
            }
        }
        await world.end()
    }

    @Test func aStoppedServerEndsTheLinkAndASendWaits() async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        var events = try await pair.ana.connect().makeAsyncIterator()
        while let event = await events.next(), event != .live {}
        await world.server.stop()
        var last: BackendEvent?
        while let event = await events.next() { last = event }
        #expect(last == .ended(.lost))
        let message = OutgoingMessage(id: UUID(), conversationID: pair.conversationID, body: "waiting")
        #expect(await pair.ana.perform(.send(message)) == .wait(after: nil, because: .offline))
        await world.end()
    }

    @Test func twoProcessesWithOneAccountNeverLoseTheirSession() async throws {
        let world = try await ServerWorld.start {
            $0.accessTokenLifetime = .seconds(1)
            $0.refreshReuseWindow = .zero
        }
        let account = try await world.signUp("ana")
        let first = try world.accounts.backend(of: account)
        let second = try world.accounts.backend(of: account)
        for _ in 0..<20 {
            async let one = first.ownProfile()
            async let two = second.ownProfile()
            let names = try await [one.username, two.username]
            #expect(names == ["ana", "ana"])
        }
        await world.end()
    }

    @Test func aTokenThatRunsOutWhileConnectedIsReplacedWithoutALoss() async throws {
        let world = try await ServerWorld.start { $0.accessTokenLifetime = .seconds(2) }
        let pair = try await world.pair()
        var events = try await pair.ana.connect().makeAsyncIterator()
        while let event = await events.next(), event != .live {}
        // A second `.live` says that a newer token was pushed, or that the channel was joined with one.
        while let event = await events.next(), event != .live {}
        let message = OutgoingMessage(id: UUID(), conversationID: pair.conversationID, body: "still here?")
        guard case .stored = await pair.ben.perform(.send(message)) else {
            Issue.record("not stored")
            return
        }
        while let event = await events.next() {
            if case .message(let change) = event, change.message.body == "still here?" { break }
        }
        await world.end()
    }

    @Test func shortPagesHideNothing() async throws {
        let world = try await ServerWorld.start { $0.limits.rowsPerAnswer = 7 }
        let pair = try await world.pair()
        let start = try #require(try await pair.ben.conversations(before: nil).first?.changed)
        for number in 0..<30 {
            let message = OutgoingMessage(id: UUID(), conversationID: pair.conversationID, body: "m\(number)")
            _ = await pair.ana.perform(.send(message))
            _ = await pair.ben.perform(
                .react(messageID: message.id, conversationID: pair.conversationID, symbol: "👍", isOn: true))
        }
        var messages = 0
        var reactions = 0
        var token: ChangePageToken?
        repeat {
            let page = try await pair.ben.changes(in: pair.conversationID, after: start, page: token)
            messages += page.messages.count
            reactions += page.reactions.count
            token = page.next
        } while token != nil
        #expect((messages, reactions) == (30, 30))
        await world.end()
    }

    @Test func whoIsAddedAgainReadsWhatWasSaidMeanwhile() async throws {
        let world = try await ServerWorld.start()
        let (ana, ben) = (try await world.person("ana"), try await world.person("ben"))
        let id = try await ana.createConversation(
            id: UUID(), with: [ben.userID], title: "Trip", isGroup: true)
        let start = try #require(try await ben.conversations(before: nil).first?.changed)
        func say(_ body: String) async {
            _ = await ana.perform(.send(OutgoingMessage(id: UUID(), conversationID: id, body: body)))
        }
        await say("before")
        try await ben.leaveConversation(id)
        await say("meanwhile")
        await #expect(throws: BackendError.notAllowed) {
            try await ben.changes(in: id, after: start, page: nil)
        }
        try await ana.addMembers([ben.userID], to: id)
        var bodies: Set<String> = []
        var token: ChangePageToken?
        repeat {
            let page = try await ben.changes(in: id, after: start, page: token)
            bodies.formUnion(page.messages.map(\.message.body))
            token = page.next
        } while token != nil
        #expect(bodies == ["before", "meanwhile"])
        await world.end()
    }

    @Test func signingUpTwiceAndSigningInWrongSayWhy() async throws {
        let world = try await ServerWorld.start()
        _ = try await world.signUp("ana")
        await #expect(throws: SignInError.addressTaken) { try await world.signUp("ana") }
        var wrong = world.credentials("ana")
        wrong.password = "wrong"
        await #expect(throws: SignInError.wrongPassword) { try await world.accounts.signIn(wrong) }
        var keyless = world.credentials("ana")
        keyless.key = ""
        #expect(try await world.accounts.signIn(keyless).userID == world.accounts.all()[0].userID)
        await world.end()
    }

    @Test func aSessionThatWasEndedAtTheServerAsksToSignIn() async throws {
        let world = try await ServerWorld.start { $0.accessTokenLifetime = .seconds(1) }
        let account = try await world.signUp("ana")
        let kept = try world.accounts.backend(of: account)
        _ = try await kept.ownProfile()
        await kept.signOut()
        await #expect(throws: BackendError.signedOut) { try await kept.ownProfile() }
        let message = OutgoingMessage(id: UUID(), conversationID: UUID(), body: "x")
        #expect(await kept.perform(.send(message)) == .waitForSignIn)
        _ = try await world.accounts.signIn(world.credentials("ana"))
        #expect(try await kept.ownProfile().username == "ana")
        await world.end()
    }
}
