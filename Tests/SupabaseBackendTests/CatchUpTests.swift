import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import TestSupport
import Testing

@testable import SupabaseBackend

/// What changed after a cursor, to an end that can be believed.
@Suite struct CatchUpTests {
    private static let day = "2026-03-04T05:06:0"
    private let room = CoreDriver.room
    private let cursor = SyncCursor(order: 1_772_600_768_000_000, token: "2026-03-04T05:06:08+00:00")

    private func world(_ answers: [HTTPResponse]) async throws -> (SessionWorld, Reading) {
        let world = try SessionWorld()
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        return (world, world.rest(world.session()))
    }

    private func member(joined second: Int, left: String? = nil) -> HTTPResponse {
        .json(
            "[\(WireJSON.member(user: WireJSON.id(1), in: room, joined: "\(Self.day)\(second)+00:00", left: left))]"
        )
    }

    private func message(_ number: Int, _ second: String = "9") -> String {
        WireJSON.row(number, in: room, updated: "\(Self.day)\(second)+00:00")
    }

    /// Reads to the end.
    private func all(_ reading: Reading) async throws(RestFailure) -> (bodies: [String], reactions: Int) {
        let catchUp = CatchUp(reading: reading, conversationID: room, cursor: cursor)
        var token: ChangePageToken?
        var (bodies, reactions): ([String], Int) = ([], 0)
        repeat {
            let page = try await catchUp.page(token)
            bodies += page.messages.map(\.message.body)
            reactions += page.reactions.count
            token = page.next
        } while token != nil
        return (bodies, reactions)
    }

    @Test func theCursorGoesBackAsItCameWithItsPlusEncoded() async throws {
        let (world, reading) = try await world([.json("[]"), .json("[]"), member(joined: 7)])
        let cursor = SyncCursor(order: cursor.order, token: "2026-03-04T05:06:08.0012+00:00")
        let page = try await CatchUp(reading: reading, conversationID: room, cursor: cursor).page(nil)
        #expect(page == ChangePage(messages: [], reactions: [], next: nil))
        let reads = world.http.paths.prefix(2)
        #expect(reads.allSatisfy { $0.contains("updated_at=gt.2026-03-04T05%3A06%3A08.0012%2B00%3A00") })
        #expect(world.http.paths[0].hasPrefix("/rest/v1/messages?"))
        #expect(world.http.paths[1].hasPrefix("/rest/v1/reactions?"))
    }

    @Test func itGoesOnFromTheLastRowToTheEmptyPage() async throws {
        let (world, reading) = try await world([
            .json("[\(message(1)),\(message(2, "9.5"))]"), .json("[]"), .json("[\(WireJSON.reaction)]"),
            .json("[]"), member(joined: 7),
        ])
        let seen = try await all(reading)
        #expect(seen.bodies == ["m1", "m2"] && seen.reactions == 1)
        let time = "\(Self.day)9.5+00:00"
        let place = "(updated_at.gt.\(time),and(updated_at.eq.\(time),id.gt.\(WireJSON.id(2))))"
        #expect(world.http.paths[1].contains("or=" + PercentEncoding.encode(place)))
        #expect(world.http.paths[3].contains(PercentEncoding.encode("symbol.gt.\"👍\"")))
    }

    /// To ask for the membership must cost nobody a request more than to ask for an empty page did.
    @Test func aPageWithAllThatTheServerCountsNeedsNoEmptyOneAfterIt() async throws {
        let (world, reading) = try await world([
            .json(200, "[\(message(1))]", ["Content-Range": "0-0/1"]),
            .json(200, "[]", ["Content-Range": "*/0"]), member(joined: 7),
        ])
        let seen = try await all(reading)
        #expect(seen.bodies == ["m1"] && seen.reactions == 0)
        #expect(world.http.requests.count == 3)
        #expect(world.http.requests[0].headers["Prefer"] == "count=exact")
    }

    @Test func aPageThatTheServerCutShortIsNotTheEnd() async throws {
        let (_, reading) = try await world([
            .json(206, "[\(message(1))]", ["Content-Range": "0-0/2"]), .json("[\(message(2))]"), .json("[]"),
            .json(200, "[\(WireJSON.reaction)]", ["Content-Range": "0-0/2"]), .json("[]"),
            member(joined: 7),
        ])
        let seen = try await all(reading)
        #expect(seen.bodies == ["m1", "m2"] && seen.reactions == 1)
    }

    @Test(arguments: [[], ["2026-03-04T05:06:09+00:00"]])
    func whoIsNotInTheConversationIsToldSo(_ left: [String]) async throws {
        let last = left.first.map { member(joined: 7, left: $0) } ?? .json("[]")
        let (_, reading) = try await world([.json("[]"), .json("[]"), last])
        await #expect(throws: RestFailure.link(.notAllowed)) { try await all(reading) }
    }

    @Test func whoWasAddedAgainMeanwhileReadsEverythingOnceMore() async throws {
        let (world, reading) = try await world([
            .json("[]"), .json("[]"), member(joined: 9),
            .json(200, "[\(message(1))]", ["Content-Range": "0-0/1"]), .json("[]"), member(joined: 9),
        ])
        let seen = try await all(reading)
        #expect(seen.bodies == ["m1"])
        #expect(world.http.requests.count == 6)
    }

    @Test func nothingOlderIsOnlyBelievedOfSomebodyWhoWasThereAllTheWhile() async throws {
        let (world, reading) = try await world([
            .json("[]"), member(joined: 7), .json("[]"), member(joined: 9), .json("[\(message(1))]"),
        ])
        let page = try await reading.history(of: room, before: nil, limit: 10)
        #expect(page.map(\.message.body) == ["m1"])
        world.http.then(.json("[]"))
        world.http.then(member(joined: 9, left: "2026-03-04T05:06:09+00:00"))
        await #expect(throws: RestFailure.link(.notAllowed)) {
            try await reading.history(of: room, before: nil, limit: 10)
        }
    }
}
