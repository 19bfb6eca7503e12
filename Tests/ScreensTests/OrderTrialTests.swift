import FoundationEssentials
import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

/// Threads that were drawn out of order, as it was reported of other messengers.
@MainActor @Suite(.timeLimit(.minutes(10))) struct OrderTrialTests {
    private func scene(_ rows: [TrialRow]) async -> Scene {
        let scene = Scene()
        scene.service.pageSize = 20
        scene.service.stored[MainScreenTests.crewID] = rows.map { $0.message(in: MainScreenTests.crewID) }
            .sorted { Message.isOrdered($0, before: $1) }
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        scene.clock.advance(by: 1)
        await settle()
        return scene
    }

    /// The rows of the thread that are in sight, without their borders.
    private func sight(_ scene: Scene) -> [String] {
        (2..<22).map { row in
            String(scene.frame.text(row: row).dropFirst(28).prefix(50)).trimmed
        }
    }

    /// Presses a key until it leads no further.
    /// - Returns: What `part` finds in the rows that came into sight on the way, each once, from top to bottom.
    private func walk(_ scene: Scene, _ key: String, _ part: (String) -> String?) async -> [String] {
        var all = sight(scene).compactMap(part)
        while true {
            let before = sight(scene)
            scene.press(key)
            await settle()
            let now = sight(scene)
            guard now != before else { return all }
            let parts = now.compactMap(part)
            #expect(Set(parts).count == parts.count)
            let new = parts.filter { !all.contains($0) }
            all = key == "PgUp" ? new + all : all + new
        }
    }

    private func label(_ row: String) -> String? {
        row.firstRange(of: "tie id ").map { String(row[$0.lowerBound...].prefix(9)) }
    }

    // MARK: T01

    @Test func t01UpDownAndUpAgainIsTheSameSeventyMessages() async throws {
        let rows = try TrialRow.tied()
        let scene = await scene(rows)
        let expected = rows.sorted { $0.id < $1.id }.map { String($0.body.prefix(9)) }
        for key in ["PgUp", "PgDn", "PgUp"] {
            #expect(await walk(scene, key, label) == expected)
        }
        #expect(scene.model.thread?.state.window.messages.count == 70)
    }

    /// The live one stands before, among or behind those that are in sight.
    @Test(arguments: [0x3e0, 0x3ee, 0x500] as [UInt32])
    func t01OneMoreOfTheSameInstantMovesNothingThatIsRead(_ number: UInt32) async throws {
        let rows = try TrialRow.tied().filter { $0.id != live(number).id }
        let scene = await scene(rows)
        _ = await walk(scene, "PgUp", label)
        let before = sight(scene)

        scene.service.send(live(number))
        await until { scene.model.thread?.state.window.contains(live(number).id) == true }

        let after = sight(scene)
        #expect(after.last { label($0) != nil } == before.last { label($0) != nil })
        let labels = after.compactMap(label).filter { $0 != "tie id li" }
        #expect(labels == Array(before.compactMap(label).suffix(labels.count)))
        let all = await walk(scene, "PgDn", label)
        #expect(all.count == rows.count + 1 && Set(all).count == all.count)
        #expect(all.contains("tie id li"))
    }

    private func live(_ number: UInt32) -> Message {
        let instant = Date(timeIntervalSince1970: 1_930_390_200)
        return Message(
            id: .example(number), conversationID: MainScreenTests.crewID, senderID: .ben,
            body: "tie id live", createdAt: instant, position: instant.microseconds)
    }

    // MARK: T04

    @Test func t04OneRuleStandsOverEachDayOnItsRightSideOfMidnight() async throws {
        let rows = try TrialRow.overClockChanges().sorted { $0.createdAt < $1.createdAt }
        let scene = await scene(rows)
        scene.screen.style.clock = ClockFormat { date in
            let seconds = date.timeIntervalSince1970
            return seconds >= 1_932_598_800 && seconds < 1_950_742_800 ? 7_200 : 3_600
        }
        scene.clock.advance(by: 1_990_000_000 - scene.clock.now.timeIntervalSince1970)
        let part = { (row: String) in row.contains("utc 20") || row.contains("──") ? row : nil }
        _ = await walk(scene, "PgUp", part)
        let all = await walk(scene, "PgDn", part)

        let rules = all.filter { $0.contains("──") && $0.contains(" 20") }
        let titles = rules.map { $0.filter { $0 != "─" }.trimmed }
        #expect(
            titles == [
                "29 March 2031", "30 March 2031", "31 March 2031", "25 October 2031", "26 October 2031",
                "27 October 2031",
            ])
        // How many messages stand under each: the days of the change have 23 and 25 hours.
        let counts = all.split { $0.contains("──") }.map { $0.count { $0.contains("utc 20") } }
        #expect(counts.filter { $0 > 0 } == [6, 46, 9, 4, 50, 7])
        let bodies = all.compactMap { row in row.firstRange(of: "utc ").map { String(row[$0.lowerBound...]) }
        }
        #expect(bodies == rows.map(\.body))
        let twice = all.filter { $0.hasPrefix("02:30") && $0.contains("2031-10-26") }
        #expect(twice.map { $0.suffix(9) } == ["00:30:00Z", "01:30:00Z"])
    }

    @Test func t04TodayTurnsIntoYesterdayOnAScreenThatIsOpen() async throws {
        let scene = await scene([])
        let sent = Message.example("late", minutes: 0)
        scene.service.send(sent)
        await until { scene.model.thread?.state.window.newest?.id == sent.id }
        #expect(sight(scene).contains { $0.contains(" Today ") })
        scene.clock.advance(by: 86_400)
        #expect(sight(scene).contains { $0.contains(" Yesterday ") })
        #expect(!sight(scene).contains { $0.contains(" Today ") })
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
