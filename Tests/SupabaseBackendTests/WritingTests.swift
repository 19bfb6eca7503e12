import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct WritingTests {
    private let room = CoreDriver.room
    private let id = UUID()
    private let duplicate = HTTPResponse.json(
        409, #"{"code":"23505","message":"duplicate key value violates unique constraint"}"#)

    private func outcome(_ operation: OutgoingOperation, _ answers: [HTTPResponse]) async throws
        -> (OperationOutcome, ScriptedHTTP)
    {
        let world = try SessionWorld()
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        let writing = Writing(reading: world.rest(world.session()), files: world.files())
        let outcome = await writing.perform(operation)
        return (outcome, world.http)
    }

    private var send: OutgoingOperation {
        .send(OutgoingMessage(id: id, conversationID: room, body: "hi", replyTo: nil))
    }

    private func rows(_ rows: String...) -> HTTPResponse { .json("[\(rows.joined(separator: ","))]") }

    private func storedBody(_ outcome: OperationOutcome) -> String? {
        if case .stored(let change?) = outcome { change.message.body } else { nil }
    }

    @Test func aSendIsAnInsertThatARepeatCannotDouble() async throws {
        let (outcome, http) = try await outcome(send, [.json(201, "[\(WireJSON.message(id, in: room))]")])
        #expect(storedBody(outcome) == "hi")
        #expect(http.paths == ["/rest/v1/messages?on_conflict=id&select=%2A"])
        #expect(http.requests[0].headers["Prefer"] == "return=representation,resolution=ignore-duplicates")
        #expect(
            http.requests[0].bodyJSON == [
                "id": .string(id.text), "conversation_id": .string(room.text), "body": "hi",
            ])
    }

    @Test func t06AnEarlierTryThatWonIsReadBack() async throws {
        let stored = rows(WireJSON.message(id, in: room, body: "padded"))
        for first in [HTTPResponse.json(201, "[]"), duplicate] {
            let (outcome, http) = try await outcome(send, [first, stored])
            #expect(storedBody(outcome) == "padded")
            guard case .stored(let change?) = outcome else { continue }
            #expect(change.message.id == id)
            #expect(change.message.createdAt.microseconds == change.message.position)
            #expect(http.paths[1].hasSuffix("id=eq.\(id.text)"))
        }
    }

    @Test func t06AnotherUniqueRuleOrSomebodyElsesRowIsARefusal() async throws {
        let foreign = [
            rows(), rows(WireJSON.message(id, in: room, sender: UUID())),
            rows(WireJSON.message(id, in: UUID())),
        ]
        for answer in foreign {
            let (outcome, _) = try await outcome(send, [duplicate, answer])
            #expect(outcome == .refused(.refused(code: "23505")))
        }
    }

    @Test func anAnswerThatIsLostOnTheWayBackWaits() async throws {
        let (outcome, _) = try await outcome(send, [.json(201, "[]"), .html(502)])
        #expect(outcome == .wait(after: nil, because: .serverFailed))
    }

    @Test func whatMayPassWaits() async throws {
        let answers: [(HTTPResponse, OperationOutcome)] = [
            (.json(408, "{}"), .wait(after: nil, because: .timedOut)),
            (.html(429, ["Retry-After": "2"]), .wait(after: .seconds(2), because: .askedToWait)),
            (.json(429, "{}"), .wait(after: nil, because: .askedToWait)),
            (.html(503, ["Retry-After": "5"]), .wait(after: .seconds(5), because: .askedToWait)),
            (.html(503), .wait(after: nil, because: .serverFailed)),
            (.refusal(500, "40001"), .wait(after: nil, because: .serverFailed)),
            (.html(302), .wait(after: nil, because: .offline)),
            (.html(200), .wait(after: nil, because: .offline)),
            (.json(200, "{nope"), .wait(after: nil, because: .serverFailed)),
        ]
        for (answer, expected) in answers {
            let (outcome, http) = try await outcome(send, [answer])
            #expect(outcome == expected)
            #expect(http.requests.count == 1)
        }
    }

    @Test func noNetworkWaitsAndNoSessionWaitsForTheUser() async throws {
        let (offline, _) = try await outcome(send, [])
        #expect(offline == .wait(after: nil, because: .offline))
        let (keyless, _) = try await outcome(send, [.json(401, #"{"message":"Invalid API key"}"#)])
        #expect(keyless == .waitForSignIn)
        let (ended, _) = try await outcome(
            send, [.refusal(401, "PGRST303"), .json(400, #"{"code":"session_not_found","message":"x"}"#)])
        #expect(ended == .waitForSignIn)
    }

    @Test func whatCannotSucceedIsRefused() async throws {
        let answers: [(HTTPResponse, SendError)] = [
            (.refusal(403, "42501"), .notAMember), (.refusal(409, "23503"), .refused(code: "23503")),
            (.refusal(400, "23514"), .refused(code: "23514")), (.json(413, "{}"), .refused(code: "413")),
        ]
        for (answer, expected) in answers {
            let (outcome, _) = try await outcome(send, [answer])
            #expect(outcome == .refused(expected))
        }
    }

    @Test func aBodyTheServerCannotTakeIsNotSent() async throws {
        let long = OutgoingMessage(id: id, conversationID: room, body: String(repeating: "é", count: 8_001))
        let (tooLong, http) = try await outcome(.send(long), [])
        #expect(tooLong == .refused(.tooLong(limit: 8_000)))
        #expect(http.requests.isEmpty)
        let (empty, _) = try await outcome(.edit(messageID: id, conversationID: room, body: ""), [])
        #expect(empty == .refused(.empty))
    }

    // MARK: Changes

    @Test func anEditOfAMessageThatIsGoneIsRefused() async throws {
        let edit = OutgoingOperation.edit(messageID: id, conversationID: room, body: "new")
        for answers in [
            [rows(), rows()],
            [.refusal(403, "42501"), rows(WireJSON.message(id, in: room, body: "", deleted: true))],
            [rows(), rows(WireJSON.message(id, in: room, sender: UUID(), body: "new"))],
        ] {
            let (outcome, _) = try await outcome(edit, answers)
            #expect(outcome == .refused(.messageGone))
        }
    }

    @Test func aDeleteThatWasDoneAlreadyIsDone() async throws {
        let delete = OutgoingOperation.delete(messageID: id, conversationID: room)
        let row = WireJSON.message(id, in: room, body: "", deleted: true)
        let (outcome, http) = try await outcome(delete, [.refusal(403, "42501"), rows(row)])
        #expect(storedBody(outcome)?.isEmpty == true)
        #expect(http.requests[0].method == .patch)
        #expect(http.requests[0].bodyJSON == ["deleted_at": "now"])
    }

    /// Late echoes of what was toggled before are told apart by the version in the answer.
    @Test func aReactionIsAnsweredAsItIsThere() async throws {
        let react = OutgoingOperation.react(messageID: id, conversationID: room, symbol: "👍", isOn: true)
        let row: JSONValue = [
            "message_id": .string(id.text), "user_id": .string(CoreDriver.me.text), "symbol": "👍",
            "conversation_id": .string(room.text), "removed_at": nil,
            "created_at": "2026-03-04T05:06:07.5+00:00", "updated_at": "2026-03-04T05:06:07.5+00:00",
        ]
        let (outcome, _) = try await outcome(react, [.json(try WireCoding.text(row))])
        let change = ReactionChange(
            messageID: id, conversationID: room, userID: CoreDriver.me, symbol: "👍", isOn: true,
            version: 1_772_600_767_500_000)
        #expect(outcome == .reacted(change))
    }

    @Test func reactionsThatAreNotThereAndMarksHaveNoRow() async throws {
        let react = OutgoingOperation.react(messageID: id, conversationID: room, symbol: "👍", isOn: false)
        let (on, http) = try await outcome(react, [.json("null")])
        #expect(on == .stored(nil))
        #expect(
            http.requests[0].bodyJSON == ["p_message_id": .string(id.text), "p_symbol": "👍", "p_on": false])
        let (gone, _) = try await outcome(react, [.refusal(403, "42501")])
        #expect(gone == .refused(.messageGone))
        let mark = OutgoingOperation.markRead(conversationID: room, messageID: nil)
        let (marked, call) = try await outcome(mark, [.json("\"2026-03-04T05:06:07.5+00:00\"")])
        #expect(marked == .stored(nil))
        #expect(call.requests[0].bodyJSON == ["p_conversation_id": .string(room.text)])
        let (foreign, _) = try await outcome(mark, [.refusal(404, "PT404")])
        #expect(foreign == .refused(.messageGone))
    }
}
