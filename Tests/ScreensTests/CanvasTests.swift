import FoundationEssentials
import Models
import Sync
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

/// A frame drawn on the one before it must be the frame drawn from nothing.
// Seconds; but many times as long under a sanitizer, and in turns with every other test of the main actor.
@MainActor @Suite(.timeLimit(.minutes(10))) struct CanvasTests {
    private static let keys = [
        "a", "b", "Space", "\u{6F22}", "Backspace", "Enter", "Esc", "Tab", "Up", "Down", "PgUp", "PgDn",
        "Left",
        "Alt-1", "Alt-2", "Ctrl-w", "Alt-Enter", "j", "k", "/", "i", "l", "h", "F1", ":", "g", "G", "r",
        "Alt-l",
    ]
    private static let bodies = [
        "plain", "two\nrows", "\u{6F22}\u{5B57} wide", "e\u{301}\u{323} joined \u{1F44D}\u{1F3FD}",
    ]

    private func scene() async -> Scene {
        let scene = Scene()
        scene.service.stored[MainScreenTests.crewID] = (0..<60).map { number in
            .example(
                Self.bodies[number % 4], from: number % 3 == 0 ? .ana : .ben, minutes: number - 60,
                id: .example(UInt32(20_000 + number)))
        }
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        return scene
    }

    private func check(_ scene: Scene, _ what: String) {
        let drawnOn = scene.frame
        scene.screen.forgetFrame()
        let fresh = scene.frame
        #expect(drawnOn == fresh, "after \(what)")
    }

    @Test(arguments: 0..<12)
    func whateverIsPressed(_ seed: UInt64) async {
        let scene = await scene()
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var pressed: [String] = []
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let name = Self.keys[Int(state >> 33) % Self.keys.count]
            pressed.append(name)
            _ = scene.frame  // what the next one is drawn on
            scene.press(name)
            check(scene, pressed.suffix(6).joined(separator: " "))
        }
    }

    @Test func whateverArrives() async {
        let scene = await scene()
        for minute in 1...8 {
            _ = scene.frame
            scene.service.send(.example("news \(minute)", minutes: minute))
            await settle()
            check(scene, "news \(minute)")
            scene.service.newsRelay.send(.typing(minute % 2 == 0 ? [] : [Person.ben.id]))
            await settle()
            check(scene, "typing \(minute)")
            scene.service.statuses.send(minute % 2 == 0 ? .connected : .connecting)
            await settle()
            check(scene, "link \(minute)")
        }
    }

    @Test func whateverTheSize() async {
        let scene = await scene()
        for columns in [80, 120, 59, 20, 1, 61, 80] {
            for rows in [24, 5, 1, 9, 40] {
                scene.size = Size(columns: Columns(columns), rows: rows)
                _ = scene.frame
                scene.type("x")
                check(scene, "\(columns)x\(rows)")
            }
        }
    }

    @Test func aConversationClosedAndOpenedAgain() async {
        let scene = await scene()
        _ = scene.frame
        scene.service.conversationRelay.send([])
        await until { scene.model.thread == nil }
        check(scene, "closing")
        scene.service.conversationRelay.send(MainScreenTests.conversations)
        await settle()
        await scene.open(MainScreenTests.conversations[0])
        check(scene, "opening")
    }
}
