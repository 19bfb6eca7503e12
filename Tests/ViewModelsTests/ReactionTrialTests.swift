import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// What stands behind the key and the command for reactions.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReactionTrialTests {
    private let fixture = Fixture()

    private var picker: ReactionViewModel? {
        if case .reaction(let picker)? = fixture.model.places.last { picker } else { nil }
    }

    private func press(_ digit: Character) {
        fixture.model.perform(.react)
        _ = picker?.choose(digit)
    }

    private func begin(_ reactions: [Reaction] = []) async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        var message = Fixture.messages(3, in: Fixture.crew.id)[2]
        message.reactions = reactions
        fixture.service.send(message)
        await until { [model = fixture.model] in
            model.thread?.state.window.messages.last?.reactions == reactions
        }
    }

    @Test func theTapbacksComeFirstAndKeepTheirPlaces() async {
        await begin()
        for digit in "2712" { press(digit) }
        fixture.model.perform(.react)
        #expect(
            picker?.state.symbols == [
                "heart.fill", "hand.thumbsup", "hand.thumbsdown", "face.smiling", "exclamationmark",
                "questionmark", "😂", "🎉", "👀",
            ])
        await fixture.model.shutDown()
        #expect(fixture.service.reactions == ["±hand.thumbsup", "±😂", "±heart.fill", "±hand.thumbsup"])
    }

    /// A press is worth the same whether or not the screen has caught up with the one before.
    @Test func t29EveryPressTurnsItRoundWhateverIsDrawn() async {
        await begin([Reaction(symbol: "❤️", byMe: false)])
        for _ in 1...15 { press("1") }
        await fixture.model.shutDown()
        #expect(fixture.service.reactions == Array(repeating: "±heart.fill", count: 15))
    }

    @Test func t31WhatIsOfferedIsEachSignOnceAndKnowsTheOwnInAnyForm() async {
        await begin([
            Reaction(symbol: "👍\u{FE0F}", byMe: true, count: 6), Reaction(symbol: "👍🏽", byMe: false),
        ])
        for sign in ["👍", "❤", "🦊", "👍🏽"] as [Character] { press(sign) }
        fixture.model.perform(.react)
        let symbols = picker?.state.symbols ?? []
        #expect(symbols.count == 9 && Set(symbols.map { ReactionSymbol($0) }).count == 9)
        #expect(Array(symbols.suffix(3)) == ["👍🏽", "🦊", "😂"])
        #expect(picker?.state.isMine("hand.thumbsup") == true)
        #expect(picker?.state.isMine("👍🏽") == false)
    }

    @Test func aCommandReactsByNameOrSign() async {
        await begin()
        for line in [
            "react heart", "react ThumbsUp", "react 🎉", "react 👍🏽", "react nonsense", "react hello there",
        ] {
            if let command = Command(line) { fixture.model.perform(command) }
        }
        #expect(fixture.model.state.notice?.what == "There is no sign of this name.")
        await fixture.model.shutDown()
        #expect(fixture.service.reactions == ["±heart.fill", "±hand.thumbsup", "±🎉", "±👍🏽"])
    }

    @Test func theNamesOfSignsAreCompleted() {
        let line = CommandLineViewModel()
        line.edit { $0.insert("react hand.th") }
        line.complete()
        #expect(line.state.text.text == "react hand.thumbs")
        #expect(line.state.menu?.candidates.map(\.text) == ["hand.thumbsdown", "hand.thumbsup"])
    }
}
