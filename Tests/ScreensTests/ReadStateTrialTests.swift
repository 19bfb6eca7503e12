import FoundationEssentials
import Models
import Sync
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

/// What the screen says of a message's way, and of one that is gone.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReadStateTrialTests {
    private let crew = Conversation.example("Release crew", 100, isGroup: true, members: 4)
    private let pair = Conversation.example("Ben", 100, members: 2, peer: .ben)
    private let people = [Person.ana, .ben, .cleo, .dana]

    /// Ana's three messages, r1 to r3, at the minutes 1 to 3.
    private func scene(_ conversation: Conversation, _ people: [Person], glyphs: Glyphs = .unicode) async
        -> Scene
    {
        let scene = Scene(columns: 60, rows: 12, glyphs: glyphs)
        scene.service.stored[conversation.id] = (1...3).map {
            .example("r\($0)", from: .ana, minutes: $0, state: .delivered)
        }
        await scene.begin([conversation])
        await scene.open(conversation, people: people)
        return scene
    }

    /// How many minutes each of the others has read.
    private func read(_ scene: Scene, _ minutes: [Int], hasLeft: Bool = false) async {
        let members = zip(people, [0] + minutes).map { person, minutes in
            Member(
                conversationID: crew.id, person: person, hasLeft: hasLeft && person.id == Person.dana.id,
                readPosition: minutes > 0 ? Date.example(minutes: minutes).microseconds : nil)
        }
        scene.service.memberRelay.send(members)
        await until { scene.model.thread?.state.members == members }
    }

    /// The marks at the right of r1, r2 and r3.
    private func marks(_ scene: Scene) -> [String] {
        scene.picture.split(separator: "\n").filter {
            $0.contains(" r1 ") || $0.contains(" r2 ") || $0.contains(" r3 ")
        }
        .map { row in
            let words = row.split(separator: " ").filter {
                $0 != "││" && $0 != "│" && $0 != "||" && $0 != "|"
            }
            return String(words.last ?? "")
        }
    }

    @Test func t28AGroupsRowsSayHowManyHaveReadThem() async {
        let scene = await scene(crew, people)
        await read(scene, [3, 2, 0])
        #expect(marks(scene) == ["2✔", "2✔", "1✔"])
        await read(scene, [3, 3, 1])
        #expect(marks(scene) == ["3✔", "2✔", "2✔"])
        // Who has left is not waited for, and does not count.
        await read(scene, [1, 0, 3], hasLeft: true)
        #expect(marks(scene) == ["1✔", "✓✓", "✓✓"])
    }

    @Test func t28WhatAllHaveReadIsNotCountedOut() async {
        let scene = await scene(crew, people)
        await read(scene, [3, 3, 1])
        var first = Message.example("r1", from: .ana, minutes: 1, state: .read)
        first.version = 1
        scene.service.send(first)
        await until { scene.model.thread?.state.window.messages.first?.deliveryState == .read }
        #expect(marks(scene) == ["✔✔", "2✔", "2✔"])
    }

    @Test func t28BetweenTwoPeopleThereIsNothingToCount() async {
        let scene = await scene(pair, [.ana, .ben])
        await read(scene, [2])
        #expect(marks(scene) == ["✓✓", "✓✓", "✓✓"])
    }

    @Test func t28InASCIITheCountIsReadableToo() async {
        let scene = await scene(crew, people, glyphs: .ascii)
        await read(scene, [3, 0, 0])
        #expect(marks(scene) == ["1#", "1#", "1#"])
    }

    @Test func t32WhatIsQuotedAboveTheComposerIsGoneWithItsMessage() async {
        let scene = await scene(crew, people)
        scene.press("Esc", "r")
        #expect(scene.picture.contains("↳ ana: r3"))
        var gone = Message.example("", from: .ana, minutes: 3)
        gone.deletedAt = .exampleMorning
        gone.version = 2
        scene.service.send(gone)
        await until { scene.model.thread?.state.window.messages.last?.isDeleted == true }
        #expect(!scene.picture.contains("r3"))
        #expect(scene.picture.contains("↳ ana: message deleted"))
    }
}
