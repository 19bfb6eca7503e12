import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import TestSupport
import Testing
import Timestamps

@testable import SupabaseBackend

@Suite struct RestTests {
    private func world(_ answers: [HTTPResponse]) async throws -> (SessionWorld, Reading) {
        let world = try SessionWorld()
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        return (world, world.rest(world.session()))
    }

    private let room = CoreDriver.room

    // MARK: Answers

    @Test func eachAnswerMeansOneThing() async throws {
        let answers: [(HTTPResponse, BackendError)] = [
            (.html(200), .offline(.intercepted)),
            (.html(302, ["Location": "http://x"]), .offline(.intercepted)),
            (.json(307, "{}"), .offline(.intercepted)), (.html(511), .offline(.intercepted)),
            (.html(404), .offline(.intercepted)), (.html(401), .offline(.intercepted)),
            (.html(429, ["Retry-After": "300"]), .busy(retryAfter: .seconds(300))),
            (.html(503), .offline(.serverUnavailable)),
            (.html(503, ["Retry-After": "7"]), .busy(retryAfter: .seconds(7))),
            (.json(504, "{}"), .offline(.serverUnavailable)), (.json(408, "{}"), .timedOut),
            (.json(401, #"{"message":"Invalid API key"}"#), .offline(.refused)),
            (.refusal(403, "42501"), .notAllowed), (.refusal(404, "PGRST205"), .unsupported),
            (.refusal(404, "42P01"), .unsupported), (.refusal(404, "PGRST202"), .unsupported),
            (.refusal(404, "PT404"), .notFound), (.refusal(409, "23505"), .taken),
            (.refusal(409, "23503"), .notFound), (.refusal(400, "23514"), .invalid),
            (.refusal(400, "22P02"), .invalid), (.refusal(400, "PGRST100"), .unexpected(code: "PGRST100")),
            (.refusal(300, "PGRST201"), .unexpected(code: "PGRST201")),
            (.refusal(416, "PGRST103"), .unexpected(code: "PGRST103")),
            (.refusal(500, "40001"), .offline(.serverUnavailable)),
            (.json(200, "{nope"), .unexpected(code: "shape")),
            (.json(200, #"{"not":"an array"}"#), .unexpected(code: "shape")),
            (
                .refusal(401, "PGRST303", "JWT issued at future"), .busy(retryAfter: .seconds(5))
            ),
        ]
        for (answer, expected) in answers {
            let (world, reading) = try await world([answer])
            do throws(RestFailure) {
                _ = try await reading.message(room)
                Issue.record("no failure for \(answer.status)")
            } catch { #expect(error.backendError == expected, "\(answer.status)") }
            #expect(world.http.requests.count == 1)
        }
    }

    @Test func everyNetworkFailureMeansOneThing() {
        #expect(NetworkError.nameNotFound.backendError == .offline(.noSuchName))
        let expired = CertificateProblem.expired(at: 0)
        #expect(
            NetworkError.tls(.certificate(expired)).backendError
                == .offline(.certificate(UserCopy(expired.what, next: expired.next))))
        #expect(NetworkError.tls(.handshake).backendError == .offline(.noEncryption))
        #expect(!NetworkError.tls(.certificateFile(.missing)).backendError.isTransient)
        #expect(!NetworkError.tls(.noAuthorities).backendError.isTransient)
        #expect(NetworkError.timedOut.backendError == .timedOut)
        #expect(NetworkError.plainHTTPRefused.backendError == .offline(.refused))
        #expect(NetworkError.upgradeRefused(.json(429, "{}")).backendError == .busy(retryAfter: .seconds(30)))
        #expect(NetworkError.upgradeRefused(.json(403, "{}")).backendError == .offline(.refused))
        #expect(NetworkError.upgradeRefused(.html(302)).backendError == .offline(.intercepted))
    }

    // MARK: Tokens

    @Test func aRefusedTokenIsRenewedOnceAndTheCallTriedOnceMore() async throws {
        let (world, reading) = try await world([.refusal(401, "PGRST301")])
        world.http.then(.json(world.sessionJSON(2)))
        world.http.then(.json("[]"))
        #expect(try await reading.message(room) == nil)
        #expect(world.http.requests.compactMap { number(of: $0.bearer ?? "") } == [1, 2])
        #expect(world.http.requests.count == 3)
    }

    @Test(arguments: ["PGRST303", "PGRST301", "42501"])
    func aTokenThatIsRefusedTwiceIsASignOut(_ code: String) async throws {
        let (world, reading) = try await world([.refusal(401, code)])
        world.http.then(.json(world.sessionJSON(2)))
        world.http.then(.refusal(401, code))
        await #expect(throws: RestFailure.link(.signedOut)) { try await reading.message(room) }
        #expect(world.http.requests.count == 3)
    }

    // MARK: Reading

    private func row(_ number: Int) throws -> String { WireJSON.row(number, in: room) }
    private func format(_ number: Int) -> String { WireJSON.id(number) }

    @Test func aPageWhereNothingCanBeReadIsNotTheEnd() async throws {
        let (world, reading) = try await world([
            .json(#"[{"id":null},"x"]"#), .json("[null]"), .json("[\(try row(7))]"),
        ])
        let page = try await reading.history(of: room, before: nil, limit: 2)
        #expect(page.map(\.message.body) == ["m7"])
        #expect(world.http.paths[1].hasSuffix("&offset=2"))
        #expect(world.http.paths[2].hasSuffix("&offset=3"))
    }

    @Test func t01AnOlderPageBreaksTiesById() async throws {
        let (world, reading) = try await world([.json("[\(try row(7))]")])
        let anchor = MessageAnchor(position: 1_772_600_767_891_234, id: room)
        _ = try await reading.history(of: room, before: anchor, limit: 50)
        let time = "2026-03-04T05:06:07.891234+00:00"
        let place = "(created_at.lt.\(time),and(created_at.eq.\(time),id.lt.\(room.text)))"
        #expect(world.http.paths[0].contains("or=" + PercentEncoding.encode(place)))
        #expect(world.http.paths[0].contains("order=created_at.desc%2Cid.desc&limit=50"))
    }

    @Test func aLongListOfReactionsIsReadToItsEnd() async throws {
        let cut = Array(repeating: WireJSON.reaction, count: 20).joined(separator: ",")
        let message = try row(1).replacing("\"reactions\":[]", with: "\"reactions\":[\(cut)]")
        let page = Array(repeating: WireJSON.reaction, count: 50).joined(separator: ",")
        let (world, reading) = try await world([
            .json("[\(message)]"), .json("[\(page)]"), .json("[\(WireJSON.reaction)]"), .json("[]"),
            .json("[\(WireJSON.member(user: format(1), in: room))]"),
        ])
        let history = try await reading.history(of: room, before: nil, limit: 50)
        #expect(history[0].reactions?.count == 51)
        #expect(world.http.requests.count == 5)
    }

    @Test func membersAreReadOverEveryCutOfTheServer() async throws {
        func member(_ number: Int) -> String { WireJSON.member(user: format(number), in: room) }
        let (world, reading) = try await world([
            .json(206, "[\(member(1)),\(member(2))]", ["Content-Range": "0-1/3"]),
            .json(200, "[\(member(3))]", ["Content-Range": "0-0/1"]),
        ])
        #expect(try await reading.members(of: room).count == 3)
        #expect(world.http.paths[1].contains("user_id=gt.\(format(2))"))
    }

    @Test func whoIsLookedForWithOneLetterIsNobody() async throws {
        let (world, reading) = try await world([])
        #expect(try await reading.people(matching: "a").isEmpty)
        #expect(world.http.requests.isEmpty)
    }

    @Test func aListPageOfBadRowsGoesOnFromItsLastPlace() async throws {
        let place = #"[{"id":"\#(room.text)","activity_at":"2026-03-04T05:06:07+00:00"}]"#
        let (world, reading) = try await world([.json(place), .json("[]")])
        #expect(try await reading.conversations(before: nil).isEmpty)
        #expect(world.http.requests[1].bodyJSON?["p_before"] == "2026-03-04T05:06:07+00:00")
    }
}

/// Rows as the REST door writes them.
enum WireJSON {
    static let reaction = """
        {"message_id":"0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10",\
        "user_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","symbol":"👍",\
        "conversation_id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10","removed_at":null,\
        "created_at":"2026-03-04T05:06:07+00:00","updated_at":"2026-03-04T05:06:07.5+00:00"}
        """

    /// A message with its reactions.
    static func row(_ number: Int, in room: UUID, updated: String = "2026-03-04T05:06:07+00:00") -> String {
        """
        {"id":"\(id(number))","conversation_id":"\(room.text)","sender_id":null,"body":"m\(number)",\
        "image_path":null,"attachment_name":null,"attachment_mime":null,"attachment_size":null,\
        "attachment_width":null,"attachment_height":null,"reply_to":null,"edited_at":null,\
        "deleted_at":null,"created_at":"\(updated)","updated_at":"\(updated)","reactions":[]}
        """
    }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static func member(
        user: String, in room: UUID, joined: String = "2026-03-04T05:06:07+00:00", left: String? = nil
    ) -> String {
        """
        {"conversation_id":"\(room.text)","user_id":"\(user)","role":"member","joined_at":"\(joined)",\
        "left_at":\(left.map { "\"\($0)\"" } ?? "null"),"last_read_at":null,"last_delivered_at":null,\
        "profiles":{"username":"a","display_name":"A"}}
        """
    }

    static func message(
        _ id: UUID, in room: UUID, sender: UUID? = CoreDriver.me, body: String = "hi", deleted: Bool = false
    ) -> String {
        let sender = sender.map { "\"\($0.text)\"" } ?? "null"
        let deletedAt = deleted ? "\"2026-03-04T05:06:09+00:00\"" : "null"
        return """
            {"id":"\(id.text)","conversation_id":"\(room.text)","sender_id":\(sender),"body":"\(body)",\
            "image_path":null,"attachment_name":null,"attachment_mime":null,"attachment_size":null,\
            "attachment_width":null,"attachment_height":null,"reply_to":null,"edited_at":null,\
            "deleted_at":\(deletedAt),"created_at":"2026-03-04T05:06:07+00:00",\
            "updated_at":"2026-03-04T05:06:07+00:00"}
            """
    }
}
