import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import TestSupport
import Testing
import WireFixtures

@testable import SupabaseBackend

/// Failures that people reported of other messengers: what this backend makes of the same rows and events.
@Suite struct ServerJSONTrialTests {
    private let room = CoreDriver.room
    private let id = fixtureID("0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10")

    // MARK: T39, NUL characters

    private let nul = "left\u{0}right"

    /// The first row of a fixture with other members.
    private func row(_ name: String, _ members: [String: JSONValue]) throws -> JSONValue {
        let row = try #require(try WireFixture.named(name).json.array?.first?.object)
        return .object(row.merging(members) { $1 })
    }

    private func answer(_ rows: JSONValue...) throws -> HTTPResponse {
        .json(try WireCoding.text(JSONValue.array(rows)))
    }

    @Test func t39TextBehindANULIsThereInEveryAnswer() async throws {
        let message = try row(
            "rest/messages-with-reactions.rows",
            [
                "body": .string(nul), "attachment_name": .string(nul), "image_path": "a/b/c",
                "reactions": [],
            ])
        let listed = try row(
            "rest/list-conversations.rows",
            ["title": .string(nul), "peer_display_name": .string(nul), "last_message_body": .string(nul)])
        let member = try row(
            "rest/members-with-names.rows", ["profiles": ["username": "bo", "display_name": .string(nul)]])
        let fixture = try await FixtureWorld([
            answer(message), answer(listed), answer(member), .json("[]"),
        ])
        let shown = try await fixture.reading.history(of: room, before: nil, limit: 50)
        #expect(shown.map(\.message.body) == [nul])
        #expect(shown.map { $0.message.attachment?.name } == [nul])
        let heads = try await fixture.reading.conversations(before: nil)
        #expect(heads.map(\.conversation.title) == [nul])
        #expect(heads.map { $0.conversation.lastMessage?.body } == [nul])
        let members = try await fixture.reading.members(of: room)
        #expect(members.map(\.person.displayName) == [nul])
    }

    @Test func t39TenThousandNULsAreABodyLikeAnother() async throws {
        let body = String(repeating: "\u{0}", count: 10_000)
        let message = try row("rest/messages-with-reactions.rows", ["body": .string(body), "reactions": []])
        let fixture = try await FixtureWorld([answer(message)])
        let shown = try await fixture.reading.history(of: room, before: nil, limit: 50)
        #expect(shown.first?.message.body.unicodeScalars.count == 10_000)
    }

    @Test func t39ALiveMessageKeepsTheTextBehindANUL() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        try feed.insert("messages", row("rest/messages.rows", ["body": .string(nul)]))
        guard case .message(let change)? = await events.next() else { return }
        #expect(change.message.body == nul)
    }

    // MARK: T81, a column left out of an update event

    @Test func t81AColumnLeftOutIsUnchangedAndANullIsEmpty() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        let body = String(repeating: "long enough to be left out ", count: 760)  // some 20 KB
        let whole = try row("rest/messages.rows", ["body": .string(body), "edited_at": .null])
        try feed.insert("messages", whole)
        guard case .message(let first)? = await events.next() else { return }
        #expect(first.message.body == body)

        // Only what changed, as a server sends it that keeps large values out of its log.
        world.session.http.then(try answer(row("rest/messages.rows", ["body": .string(body)])))
        try feed.change(
            "messages", "UPDATE",
            [
                "id": .string(id.text), "conversation_id": .string(room.text),
                "edited_at": "2026-03-04T05:06:09+00:00",
            ])
        guard case .message(let second)? = await events.next() else { return }
        #expect(second.message.body == body)
        #expect(second.message.position == first.message.position)

        try feed.change("messages", "UPDATE", row("rest/messages.rows", ["body": .null]))
        guard case .message(let third)? = await events.next() else { return }
        #expect(third.message.body.isEmpty)
        #expect(third.message.position == first.message.position)

        try feed.remove("messages", ["id": .string(id.text)])
        #expect(await events.next() == .messageRemoved(id))
    }

    @Test func t81AnyColumnMayBeLeftOut() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        let whole = try row("rest/messages.rows", [:])
        for column in MessageRow.CodingKeys.allCases.map(\.stringValue) where column != "id" {
            world.session.http.then(try answer(whole))
            try feed.change("messages", "UPDATE", .object((whole.object ?? [:]).filter { $0.key != column }))
            guard case .message(let change)? = await events.next() else {
                Issue.record("without \(column) nothing came")
                return
            }
            #expect(change.message.body == "hello", "\(column)")
        }
    }

    @Test func t81WithoutItsKeyAnUpdateIsCaughtUp() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        try feed.change("messages", "UPDATE", ["edited_at": "2026-03-04T05:06:09+00:00"])
        #expect(await events.next() == .live)
    }

    // MARK: T35, a message over the platform's limit

    @Test(arguments: [
        String(repeating: "x", count: 8_000), String(repeating: "long ", count: 1_600),
        // Characters above the first plane up to the last place; one word that no line holds.
        String(repeating: "x", count: 7_999) + "😀", String(repeating: "👍🏽", count: 4_000),
        String(repeating: "w", count: 5_000),
    ])
    func t35AMessageAtTheLimitArrivesWhole(_ body: String) async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        let message = OutgoingMessage(id: UUID(), conversationID: pair.conversationID, body: body)
        guard case .stored(let change?) = await pair.ana.perform(.send(message)) else {
            Issue.record("it was not stored")
            return await world.end()
        }
        #expect(change.message.body == body)
        let seen = try await pair.ben.history(of: pair.conversationID, before: nil, limit: 50)
        #expect(seen.map(\.message.body) == [body])
        await world.end()
    }

    @Test(arguments: [8_001, 12_300])
    func t35AMessageOverTheLimitIsRefusedBeforeItLeaves(_ count: Int) async throws {
        for last in ["x", "😀"] {
            let fixture = try await FixtureWorld()
            let body = String(repeating: "x", count: count - 1) + last
            let file = Attachment(path: "a/b/c", name: "a.png")
            for attachment in [nil, file] {
                let message = OutgoingMessage(
                    id: id, conversationID: room, body: body, attachment: attachment)
                let outcome = await fixture.writing.perform(.send(message))
                #expect(outcome == .refused(.tooLong(limit: 8_000)))
            }
            let edit = OutgoingOperation.edit(messageID: id, conversationID: room, body: body)
            #expect(await fixture.writing.perform(edit) == .refused(.tooLong(limit: 8_000)))
            #expect(fixture.world.http.requests.isEmpty)
        }
    }

    /// A server with a smaller limit than ours refuses what we let pass: that is seen, too.
    @Test func t35ARefusalByTheServerIsSeenOnTheMessage() async throws {
        let fixture = try await FixtureWorld([.fixture("rest/error-check.answer", 400)])
        let message = OutgoingMessage(id: id, conversationID: room, body: "longer than it takes")
        #expect(await fixture.writing.perform(.send(message)) == .refused(.refused(code: "23514")))
    }
}
