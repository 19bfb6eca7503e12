import FoundationEssentials
import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct ScrollTests {
    private func scene(_ count: Int, rows: Int = 24) async -> Scene {
        let scene = Scene(rows: rows)
        scene.service.stored[MainScreenTests.crewID] = (0..<count).map { number in
            let body = number % 5 == 0 ? "message \(number)\nof two\nor three rows" : "message \(number)"
            return .example(
                body, from: number % 3 == 0 ? .ana : .ben, minutes: number - count,
                id: .example(UInt32(20_000 + number)))
        }
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        return scene
    }

    private func threadRows(_ scene: Scene) -> [String] {
        (2..<22).map { row in String(scene.frame.text(row: row).dropFirst(27).prefix(52)) }
    }

    @Test func aPageUpAndAPageDownLeadBack() async {
        let scene = await scene(40)
        let before = threadRows(scene)
        scene.press("PgUp")
        let up = threadRows(scene)
        #expect(up != before)
        #expect(up.last?.contains(String(before[0].drop { $0 == " " }.prefix(20))) == true)
        scene.press("PgDn")
        #expect(threadRows(scene) == before)
        #expect(scene.model.thread?.state.scroll == .newest)
    }

    @Test func aCommandScrollsLikeItsKey() async {
        let (byKey, byCommand) = (await scene(40), await scene(40))
        byKey.press("Esc", "PgUp")
        byCommand.press("Esc", ":")
        byCommand.type("page-up")
        byCommand.press("Enter")
        #expect(threadRows(byKey) == threadRows(byCommand))
        #expect(byCommand.model.thread?.state.scroll != .newest)
    }

    @Test func theTopIsTheEndOfScrolling() async {
        let scene = await scene(40)
        scene.clock.advance(by: 1)
        await until { scene.model.thread?.state.window.hasOlder == false }
        for _ in 0..<5 { scene.press("PgUp") }
        let top = threadRows(scene)
        #expect(top.contains { $0.contains("message 0 ") || $0.hasSuffix("message 0") })
        scene.press("PgUp")
        #expect(threadRows(scene) == top)
    }

    @Test func whatComesInDoesNotMoveWhatIsRead() async {
        let scene = await scene(40)
        scene.press("PgUp")
        let before = threadRows(scene)
        for minute in 1...30 { scene.service.send(.example("live \(minute)", minutes: minute)) }
        await until { scene.model.thread?.state.newBelow == 30 }
        #expect(threadRows(scene) == before)
        #expect(scene.picture.contains("30 new"))
        scene.press("Alt-End")
        #expect(threadRows(scene).last?.contains("live 30") == true)
    }

    @Test func thePickedMessageIsAlwaysInSight() async {
        let scene = await scene(42)
        scene.press("Esc")
        for step in 0..<45 {
            scene.press("k")
            if step % 9 == 0 { await settle() }
            let selection = scene.model.thread?.state.selectedMessage?.body.split(separator: "\n").first ?? ""
            #expect(threadRows(scene).contains { $0.contains("▌") && $0.contains(selection) })
        }
        for _ in 0..<48 {
            scene.press("j")
            #expect(threadRows(scene).contains { $0.contains("▌") })
        }
        #expect(scene.model.thread?.state.scroll == .newest)
        scene.press("5", "k")
        #expect(scene.model.thread?.state.selection == .example(20_036))
    }

    @Test func theUnreadRuleStandsOverTheFirstUnreadMessage() async {
        let scene = Scene()
        let stored: [Message] = (0..<6).map {
            .example("message \($0)", minutes: $0, id: .example(UInt32(20_000 + $0)))
        }
        scene.service.stored[MainScreenTests.crewID] = stored
        var crew = MainScreenTests.conversations[0]
        (crew.readPosition, crew.unreadCount) = (stored[3].position, 2)
        await scene.begin([crew])
        await scene.open(crew)
        scene.clock.advance(by: 1)
        await until { scene.model.thread?.state.window.hasOlder == false }
        let rows = threadRows(scene)
        let rule = rows.firstIndex { $0.contains(" new ") } ?? 0
        #expect(rows[rule + 1].contains("message 4"))
        #expect(rows.filter { $0.contains(" new ") }.count == 1)
    }
}
