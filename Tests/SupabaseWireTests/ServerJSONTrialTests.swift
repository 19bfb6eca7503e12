import FoundationEssentials
import SupabaseWire
import Testing
import Timestamps

/// Rows that made other messengers fail, as people reported them; `Trials` holds them as they were reported.
@Suite struct ServerJSONTrialTests {
    /// The rows of a trial under our columns' names: its people and conversations get ids of our kind.
    private func rows(_ bytes: [UInt8]) throws -> [JSONValue] {
        let items = try WireCoding.decode(from: bytes).array ?? []
        return items.map { item in
            guard case .object(var members) = item else { return item }
            if members["conversation_id"] != nil {
                members["conversation_id"] = "6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10"
            }
            if members["sender_id"]?.string != nil {
                members["sender_id"] = "3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11"
            }
            members["updated_at"] = members["updated_at"] ?? members["created_at"]
            return .object(members)
        }
    }

    /// Reads rows as an answer of REST.
    private func answer(_ rows: [JSONValue]) throws -> LossyRows<MessageRow> {
        try WireCoding.decode(LossyRows<MessageRow>.self, from: try WireCoding.encode(rows))
    }

    /// Reads a row as the change feed brings it; `nil` when it cannot be read.
    private func live(_ row: JSONValue) throws -> MessageRow? {
        guard let members = try JSONDocument(try WireCoding.text(row)).root.members else { return nil }
        do throws(WireError) { return try MessageRow(members) } catch { return nil }
    }

    @Test func t77ADeformedRowHidesNoneOfItsNeighbours() throws {
        let rows = try rows(PackageResources.T77_badrows_json)
        let answer = try answer(rows)
        #expect(answer.count == rows.count)
        let bodies = answer.rows.map(\.body)
        #expect(bodies.first == "good 1" && bodies.last == "good 16")
        #expect(bodies.contains("extra fields") && bodies.contains("unknown kind"))
        #expect(bodies.contains("null sender") && bodies.contains(""))
        #expect(!bodies.contains("no created_at") && !bodies.contains("sender is an object"))
        #expect(answer.failures.allSatisfy { rows[$0.index].string != "good" })
    }

    @Test func t77TheFeedReadsWhatAnAnswerDoes() throws {
        let rows = try rows(PackageResources.T77_badrows_json)
        #expect(try rows.compactMap(live) == (try answer(rows)).rows)
    }

    @Test func t78EveryWayToWriteAnInstantIsReadAndInOrder() throws {
        let rows = try rows(PackageResources.T78_dates1_json)
        let answer = try answer(rows.reversed())
        #expect(answer.failures.isEmpty)
        let sorted = answer.rows.sorted { $0.createdAt.microseconds < $1.createdAt.microseconds }
        // Finer than a microsecond two may fall together; then the order is the one they came in.
        let labels = sorted.map { String($0.body.prefix(8)) }
        let expected = rows.compactMap { $0["body"]?.string.map { String($0.prefix(8)) } }
        #expect(labels.count == expected.count)
        for (label, wanted) in zip(labels, expected) where label != wanted {
            #expect(["order 06", "order 07"].contains(label), "\(label) stands where \(wanted) should")
        }
    }

    @Test func t78ATimeWithoutZoneIsUTC() throws {
        let rows = try answer(try rows(PackageResources.T78_dates1_json)).rows
        let bare = try #require(rows.first { $0.body.contains("no zone") })
        let first = try #require(rows.first { $0.body.hasPrefix("order 00") })  // 18:15:59Z
        #expect(bare.createdAt.microseconds - first.createdAt.microseconds == 800_000)
    }

    @Test func t79AnInstantIsWrittenAsItWasRead() throws {
        for microsecond in 0..<30 {
            let text = "2026-03-04T05:06:07.1234" + (microsecond < 10 ? "0" : "") + "\(microsecond)+00:00"
            let row = try #require(try live(try WireExamples.message("created_at", .string(text))))
            let again = try WireCoding.decode(Timestamp.self, from: "\"\(row.createdAt.text)\"")
            #expect(again == row.createdAt)
            #expect(again.microseconds % 1_000_000 == 123_400 + Int64(microsecond))
        }
    }

    @Test func t80NeighbouringBigNumbersStayApart() throws {
        let rows = try rows(PackageResources.T80_bigids_json)
        let ids = rows.prefix(2).map { $0["id"]?.integer }
        #expect(ids == [9_007_199_254_740_993, 9_007_199_254_740_992])
        #expect(rows[3]["id"]?.integer == .max)
        let text = try WireCoding.text(Array(rows.prefix(4)))
        for digits in ["9007199254740993", "9007199254740992", "9007199254740995", "9223372036854775807"] {
            #expect(text.contains(digits))
        }
    }

    @Test func t80ANumberIsNoIDOfOursAndIsRefusedByItsRow() throws {
        let rows = try rows(PackageResources.T80_bigids_json)
        var good = try WireCoding.decode(JSONValue.self, from: WireExamples.message)
        if case .object(var members) = good {
            members["attachment_size"] = 9_007_199_254_740_993
            good = .object(members)
        }
        let answer = try answer(rows + [good])
        #expect(answer.failures.count == rows.count)
        #expect(answer.rows.map(\.attachmentSize) == [9_007_199_254_740_993])
    }
}
