import Models
import Testing

@Suite struct ReactionSymbolTests {
    @Test(arguments: [
        ("👍", "👍\u{FE0F}"), ("👍", "👍\u{FE0E}"), ("❤", "❤\u{FE0F}"), ("heart.fill", "❤️"),
        ("heart", "heart.fill"),
        ("1\u{20E3}", "1\u{FE0F}\u{20E3}"), ("❤️‍🔥", "❤‍🔥"), ("figure.walk", "figure.walk.fill"),
    ])
    func t31FormsOfOneSignAreTheSame(_ pair: (String, String)) {
        #expect(ReactionSymbol(pair.0) == ReactionSymbol(pair.1))
    }

    @Test(arguments: [("👍", "👍🏽"), ("👍🏽", "👍🏿"), ("👍", "👎"), ("❤️‍🔥", "❤️"), ("figure.walk", "figure.run")])
    func t31OtherSignsAndOtherSkinAreNot(_ pair: (String, String)) {
        #expect(ReactionSymbol(pair.0) != ReactionSymbol(pair.1))
    }

    @Test(arguments: ["", "\u{FE0F}", "  ", "\u{200B}"]) func t30WhatShowsNothingIsNoSign(_ form: String) {
        #expect(ReactionSymbol(form).isBlank)
    }

    @Test func everyTapbackHasASignOfItsOwnAndALengthThatServicesTake() {
        #expect(
            Set(ReactionSymbol.tapbacks.map { ReactionSymbol($0) }).count == ReactionSymbol.tapbacks.count)
        for name in ReactionSymbol.names {
            #expect(ReactionSymbol.sign(of: name) != name && (1...16).contains(name.unicodeScalars.count))
            #expect(ReactionSymbol.form(typed: name) == name)
        }
        #expect(ReactionSymbol.names.first == "bell")
    }

    @Test(arguments: [
        "a", "é", "日", "two 👍", "👍👍", "nonsense", "", " ", "e" + String(repeating: "\u{301}", count: 20),
    ])
    func whatIsNoSignIsNotTakenForOne(_ typed: String) {
        #expect(ReactionSymbol.form(typed: typed) == nil)
    }
}
