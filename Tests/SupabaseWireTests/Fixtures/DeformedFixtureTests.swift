import FoundationEssentials
import SupabaseWire
import Testing
import WireFixtures

/// Rows, frames and bodies with one member out of order.
@Suite struct DeformedFixtureTests {
    private static let rows = WireFixture.all.filter {
        if case .rows? = ClientReading.all[$0.name] { $0.name != "rest/none.rows" } else { false }
    }
    private static let changes = WireFixture.all.filter {
        if case .change? = ClientReading.all[$0.name] { true } else { false }
    }

    // MARK: Rows

    @Test(arguments: rows) func aDeformedMemberHidesNoneOfTheNeighbours(_ fixture: WireFixture) throws {
        guard case .rows(let reading)? = ClientReading.all[fixture.name] else { return }
        let good = try #require(try fixture.json.array?.first)
        let row = try DeformableObject(good)
        let text = Array(try WireCoding.encode(good))
        let expected = good.without(reading.unread)
        for key in row.keys + ["future_column"] {
            for deformation in Deformation.allCases {
                let found = try reading.read(Self.list(text, row.bytes(key, deformation), text))
                let isUnread = reading.unread.contains(key) || key == "future_column"
                let isRight =
                    found.rows.first == expected && found.rows.last == expected
                    && found.rows.count + found.failures.count == 3
                    && (found.failures.isEmpty || !isUnread && found.failures == [1])
                if !isRight { Issue.record("\(key) \(deformation): \(found.rows.count) rows") }
            }
        }
    }

    @Test(arguments: rows) func whatIsNoRowHidesNoneOfItsNeighbours(_ fixture: WireFixture) throws {
        guard case .rows(let reading)? = ClientReading.all[fixture.name] else { return }
        let good = try #require(try fixture.json.array?.first)
        let text = Array(try WireCoding.encode(good))
        for bad in ["null", "{}", "[]", #""a row""#, "17", "1e999", #""\ud800""#, "[[[{}]]]"] {
            let found = try reading.read(Self.list(text, Array(bad.utf8), text))
            #expect(found.rows == [good.without(reading.unread), good.without(reading.unread)])
            #expect(found.failures == [1])
        }
    }

    private static func list(_ rows: [UInt8]...) -> Data {
        var list = [UInt8(ascii: "[")]
        for (index, row) in rows.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list.append(contentsOf: row)
        }
        return Data(list + [UInt8(ascii: "]")])
    }

    // MARK: What is embedded in rows

    @Test func aDeformedReactionHidesNeitherItsMessageNorItsNeighbours() throws {
        let message = try #require(
            try WireFixture.named("rest/messages-with-reactions.rows").json.array?.first)
        let good = try #require(message["reactions"]?.array?.first)
        let reaction = try DeformableObject(good)
        let text = try WireCoding.text(good)
        for key in reaction.keys {
            for deformation in Deformation.allCases {
                let row = try Self.row(message, "[\(text),\(reaction.text(key, deformation)),null,\(text)]")
                let reactions = try #require(row.reactions)
                #expect((2...3).contains(reactions.count), "\(key) \(deformation)")
                #expect(reactions.first?.json == good && reactions.last?.json == good)
            }
        }
        for other in ["null", "{}", "7", #""x""#] {
            let row = try Self.row(message, other)
            #expect(row.reactions == nil && row.message.json == message.without(["reactions"]))
        }
    }

    private static func row(_ message: JSONValue, _ reactions: String) throws -> MessageWithReactionsRow {
        let text = try WireCoding.text(message.adding(["reactions": "@@@"]))
        return try WireCoding.decode(
            MessageWithReactionsRow.self, from: text.replacing("\"@@@\"", with: reactions))
    }

    @Test func aDeformedProfileHidesNoMember() throws {
        let member = try #require(try WireFixture.named("rest/members-with-names.rows").json.array?.first)
        let profile = try DeformableObject(member, at: "profiles")
        for key in profile.keys {
            for deformation in Deformation.allCases {
                let row = try WireCoding.decode(
                    NamedMemberRow.self, from: Data(profile.bytes(key, deformation)))
                #expect(row.member.json == member.without(["profiles"]), "\(key) \(deformation)")
            }
        }
    }

    // MARK: Changes

    @Test(arguments: changes) func aDeformedColumnOfAChangeIsARowOrTheWayToIt(_ fixture: WireFixture) throws {
        let whole = try fixture.json
        let side = whole["payload"]?["data"]?["record"] == nil ? "old_record" : "record"
        let record = try DeformableObject(whole, at: "payload", "data", side)
        for key in record.keys + ["future_column"] {
            for deformation in Deformation.allCases {
                guard case .change = try IncomingFrame(text: record.text(key, deformation)) else {
                    Issue.record("\(key) \(deformation) hides the change")
                    continue
                }
            }
        }
    }

    @Test(arguments: changes) func aDeformedChangeIsAChangeAllTheSame(_ fixture: WireFixture) throws {
        let change = try DeformableObject(fixture.json, at: "payload", "data")
        for key in change.keys {
            for deformation in Deformation.allCases {
                switch try IncomingFrame(text: change.text(key, deformation)) {
                case .change, .unreadableChange: break
                case .frame: Issue.record("\(key) \(deformation) is taken for something else")
                }
            }
        }
    }

    // MARK: Sessions and errors

    /// What goes on without: a refresh whose answer is thrown away has cost the session.
    @Test func aSessionIsReadWhateverElseStandsInItsAnswer() throws {
        let whole = try WireFixture.named("auth/session.answer").json
        let needed: Set = ["access_token", "refresh_token", "user", "id"]
        for object in [try DeformableObject(whole), try DeformableObject(whole, at: "user")] {
            for key in object.keys where !needed.contains(key) {
                for deformation in Deformation.allCases {
                    let read = try WireCoding.decode(
                        SessionBody.self, from: Data(object.bytes(key, deformation)))
                    #expect(read.refreshToken == "k3x9q2m7t1za", "\(key) \(deformation)")
                }
            }
        }
    }

    @Test(arguments: WireFixture.all.filter { $0.name.contains("/error-") })
    func aDeformedErrorKeepsItsOtherWords(_ fixture: WireFixture) throws {
        let (whole, body) = (try fixture.json, try DeformableObject(fixture.json))
        for key in body.keys where key != "code" {
            for deformation in Deformation.allCases {
                let bytes = Data(body.bytes(key, deformation))
                #expect(try WireCoding.decode(RestErrorBody.self, from: bytes).code == whole["code"]?.string)
                if key == "error_code" { continue }
                let auth = try WireCoding.decode(AuthErrorBody.self, from: bytes)
                #expect(auth.code == whole["error_code"]?.string ?? whole["code"]?.string)
            }
        }
    }
}
