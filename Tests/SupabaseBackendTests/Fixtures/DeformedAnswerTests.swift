import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Testing
import WireFixtures

@testable import SupabaseBackend

/// Every place where a list of rows is read, with one deformed row in the middle.
@Suite struct DeformedAnswerTests {
    /// A list of three, of which the one in the middle may be left out.
    private typealias Asker = @Sendable (FixtureWorld) async throws -> Int

    private static let lists: [String: Asker] = [
        "rest/list-conversations.rows": { try await $0.reading.conversations(before: nil).count },
        "rest/members-with-names.rows": { try await $0.reading.members(of: CoreDriver.room).count },
        "rest/messages-with-reactions.rows": {
            try await $0.reading.history(of: CoreDriver.room, before: nil, limit: 50).count
        },
        "rest/messages.rows": { fixture in
            let catchUp = CatchUp(
                reading: fixture.reading, conversationID: CoreDriver.room,
                cursor: SyncCursor(order: 0, token: "x"))
            return try await catchUp.page(nil).messages.count
        },
        "rest/reactions.rows": { try await $0.reading.reactions(of: CoreDriver.me).count },
        "rest/profiles.rows": { try await $0.reading.people(matching: "ada").count },
    ]

    @Test(arguments: lists.keys.sorted())
    func oneBadRowHidesNoneOfItsNeighbours(_ name: String) async throws {
        let ask = try #require(Self.lists[name])
        let row = try #require(try WireFixture.named(name).json.array?.first)
        let text = try WireCoding.text(row)
        let deformable = try DeformableObject(row)
        for key in deformable.keys {
            for deformation in Deformation.allCases {
                let bad = Array("[\(text),".utf8) + deformable.bytes(key, deformation)
                let body = Data(bad + Array(",\(text)]".utf8))
                let answer = HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/json", "Content-Range": "0-2/3"],
                    body: body)
                let fixture = try await FixtureWorld([answer, .json("[]"), .json("[]")])
                let count = try await ask(fixture)
                #expect((2...3).contains(count), "\(key) \(deformation)")
            }
        }
    }

    /// Counts are added up by the list, and by the store.
    @Test(arguments: [Int64.max, .min, -1, 1_001, 1_000_000_000_000])
    func aCountBeyondReasonIsCut(_ number: Int64) async throws {
        let rows = try WireFixture.named("rest/list-conversations.rows").json.array ?? []
        let list = JSONValue.array(
            rows.map { row in
                .object(
                    (row.object ?? [:]).merging([
                        "unread_count": .integer(number), "member_count": .integer(number),
                    ]) { $1 })
            })
        let fixture = try await FixtureWorld([.json(try WireCoding.text(list))])
        let heads = try await fixture.reading.conversations(before: nil)
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { (0...1_000).contains($0.conversation.unreadCount) })
        #expect(heads.allSatisfy { (0...1_000_000).contains($0.conversation.memberCount) })
    }

    @Test(arguments: [Int64.max, .min, -1]) func aSizeBeyondReasonIsNone(_ number: Int64) throws {
        var members = try #require(try WireFixture.named("rest/messages.rows").json.array?[1].object)
        for key in ["attachment_size", "attachment_width", "attachment_height"] {
            members[key] = .integer(number)
        }
        let row = try WireCoding.decode(MessageRow.self, from: try WireCoding.text(JSONValue.object(members)))
        let mapping = Mapping(address: try SessionWorld().address, userID: CoreDriver.me)
        let attachment = try #require(mapping.message(row).attachment)
        #expect(attachment.size == nil && attachment.width == nil && attachment.height == nil)
        #expect(attachment.name == "Cat (1).png")
    }

    // MARK: Presence

    @Test func aDeformedPresenceHidesNobodyElse() throws {
        let good = try WireFixture.named("realtime/presence.v1.server").json["payload"]
        let entry = try #require(good?[CoreDriver.me.text])
        let meta = try #require(entry["metas"]?.array?.first)
        let deformable = try DeformableObject(meta)
        for key in ["phx_ref", "state"] {
            for deformation in Deformation.allCases where deformation != .deep {
                let bad = try WireCoding.decode(from: deformable.bytes(key, deformation))
                var roster = PresenceRoster()
                roster.replace(with: [
                    CoreDriver.me.text: ["metas": [bad, 1, nil, meta]], CoreDriver.room.text: entry,
                ])
                #expect(roster.users == [CoreDriver.me, CoreDriver.room], "\(key) \(deformation)")
            }
        }
    }

    @Test func whoHasNoReadableConnectionIsNotPresent() {
        var roster = PresenceRoster()
        roster.replace(with: [
            CoreDriver.me.text: ["metas": []], CoreDriver.room.text: ["metas": nil], "nobody": ["metas": 7],
        ])
        #expect(roster.users.isEmpty)
        roster.apply(["joins": [CoreDriver.me.text: ["metas": [[:]]]], "leaves": nil])
        #expect(roster.users.isEmpty)
        roster.apply(["joins": [CoreDriver.me.text: ["metas": [["phx_ref": "a"]]]], "leaves": 7])
        #expect(roster.users == [CoreDriver.me])
    }

    // MARK: Frames

    private static let frames = WireFixture.all.filter { $0.isFromServer && $0.version == .one }

    @Test(arguments: frames) func aDeformedFrameNeverEndsTheLink(_ fixture: WireFixture) throws {
        let payload = try DeformableObject(fixture.json, at: "payload")
        for key in payload.keys {
            for deformation in Deformation.allCases {
                var driver = CoreDriver(held: [CoreDriver.room])
                driver.becomeLive()
                driver.acceptJoin(CoreDriver.roomTopic)
                driver.receive(text: payload.text(key, deformation))
                driver.pass(.seconds(1))
                #expect(driver.end == nil, "\(key) \(deformation)")
                #expect(driver.core.channels[CoreDriver.inbox] != nil, "\(key) \(deformation)")
            }
        }
    }
}

extension CoreDriver {
    /// A text as the link hands it on.
    fileprivate mutating func receive(text: String) {
        do throws(WireError) {
            switch try IncomingFrame(text: text) {
            case .frame(let frame): handle(.frame(frame))
            case .change(let topic, let change): handle(.change(topic: topic, change))
            case .unreadableChange(let topic): handle(.unreadableChange(topic: topic))
            }
        } catch { handle(.noise) }
    }
}
