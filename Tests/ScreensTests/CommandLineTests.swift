import Models
import Sync
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct CommandLineTests {
    private func scene(columns: Int = 60, rows: Int = 12) async -> Scene {
        let scene = Scene(columns: columns, rows: rows)
        await scene.begin([])
        scene.type(":")
        return scene
    }

    private func lowest(_ count: Int, of scene: Scene) -> [String] {
        // Behind the rows it says where the cursor is.
        let rows = scene.picture.split(separator: "\n", omittingEmptySubsequences: false)
        return rows.prefix(scene.size.rows).suffix(count).map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test func whatTabOffersStandsAboveTheLineUntilSomethingIsTyped() async {
        let scene = await scene()
        scene.type("list-")
        scene.press("Tab")
        #expect(lowest(1, of: scene) == [" :list-page-"])
        let rows = lowest(5, of: scene)
        #expect(rows[0].hasPrefix("┌───────────"))
        #expect(rows[1].hasPrefix("│   list-page-down │"))
        #expect(rows[2].hasPrefix("│   list-page-up   │"))
        #expect(rows[3].hasPrefix("└───────────"))
        scene.press("Tab")
        #expect(lowest(4, of: scene)[0].hasPrefix("│ ▌ list-page-down │"))
        #expect(lowest(1, of: scene) == [" :list-page-down"])
        scene.press("Backspace")
        #expect(!scene.picture.contains("list-page-up"))
    }

    @Test func ofManyCandidatesSomeAroundTheChosenOneAreSeenAndAllAreCounted() async {
        let scene = await scene()
        scene.press("Tab", "Tab")
        #expect(lowest(2, of: scene)[0].contains(" 1 of "))
        for _ in 0..<20 { scene.press("Tab") }
        #expect(lowest(2, of: scene)[0].contains(" 21 of "))
        #expect(lowest(6, of: scene).contains { $0.hasPrefix("│ ▌ ") })
    }

    @Test func nothingToOfferIsSaid() async {
        let scene = await scene()
        scene.type("xyzzy")
        scene.press("Tab")
        #expect(lowest(3, of: scene)[0].hasPrefix("│ Nothing begins like this. │"))
        #expect(lowest(1, of: scene) == [" :xyzzy"])
    }

    @Test func theCursorOfALongLineStaysInSight() async {
        let scene = await scene()
        scene.type("attach /" + String(repeating: "abcdefghi/", count: 9) + "end")
        #expect(lowest(1, of: scene)[0].hasSuffix("abcdefghi/end"))
        #expect(scene.frame.cursor.map { $0.column < 60 && $0.row == 11 } == true)
    }
}
