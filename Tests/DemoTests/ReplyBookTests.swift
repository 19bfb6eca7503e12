import FoundationEssentials
import TestSupport
import Testing

@testable import Demo

private func book(_ role: Role, seed: UInt64 = 1) throws -> ReplyBook {
    ReplyBook(try #require(Persona.of(role)), seed: seed)
}

private func topic(_ role: Role, _ word: String) throws -> [String] {
    try #require(Persona.of(role)?.topics.first { $0.words.contains(word) }).replies
}

@Test func aWordIsKnownWhateverItsCaseAndNumber() throws {
    var ben = try book(.ben)
    #expect(try topic(.ben, "loaf").contains(ben.reply(to: "One more LOAF, please!")))
    #expect(try topic(.ben, "brake").contains(ben.reply(to: "my brakes squeak")))
    var mei = try book(.mei)
    #expect(try topic(.mei, "star").contains(mei.reply(to: "今夜は星が見える？")))
}

@Test func aWordInsideAnotherIsNotMeant() throws {
    var ben = try book(.ben)
    #expect(try !topic(.ben, "hi").contains(ben.reply(to: "This thing")))
}

@Test func questionsLongLettersAndRemarksGetTheirOwnAnswers() throws {
    let cleo = try #require(Persona.of(.cleo))
    var replies = try book(.cleo)
    #expect(cleo.questions.contains(replies.reply(to: "Would it matter?")))
    #expect(cleo.longOnes.contains(replies.reply(to: String(repeating: "hello there ", count: 40))))
    #expect(cleo.remarks.contains(replies.reply(to: "Purple")))
}

@Test func nothingIsSaidTwiceWhileThereIsSomethingElse() throws {
    var mei = try book(.mei)
    let remarks = try #require(Persona.of(.mei)).remarks
    let said = (0..<remarks.count).map { _ in mei.reply(to: "Purple") }
    #expect(Set(said) == Set(remarks))
    #expect(mei.reply(to: "Purple") == said[0])
}

@Test(arguments: Role.companions)
func everyPersonHasWordsForEverything(role: Role) throws {
    let persona = try #require(Persona.of(role))
    let pools = persona.topics.map(\.replies) + [persona.questions, persona.longOnes, persona.remarks]
    #expect(pools.allSatisfy { $0.count >= 2 && Set($0).count == $0.count })
    #expect(persona.symbols.count >= 3)
    #expect(persona.topics.flatMap(\.words).allSatisfy { $0 == $0.lowercased() })
}

@Test func whoIsCalledByNameAnswers() {
    func turn(_ text: String) -> [Role] {
        Turn.responders(to: text, .example(1), among: Role.companions, seed: 3)
    }
    #expect(turn("Cleo, and you, Ben?") == [.cleo, .ben])
    #expect(turn("mei mei MEI") == [.mei])
    #expect(turn("Good night everyone") == Role.companions)
    #expect(Turn.responders(to: "cleo?", .example(1), among: [.ben], seed: 3) == [.ben])
}

@Test func otherwiseOneAnswersAndNowAndThenTwo() {
    let turns = (0..<400).map {
        Turn.responders(to: "Nice", .example(UInt32($0)), among: Role.companions, seed: 3)
    }
    #expect(turns.allSatisfy { 1...2 ~= $0.count && Set($0).count == $0.count })
    #expect(50...150 ~= turns.filter { $0.count == 2 }.count)
    for role in Role.companions { #expect(turns.filter { $0.first == role }.count > 80) }
    #expect(turns[7] == Turn.responders(to: "Nice", .example(7), among: Role.companions, seed: 3))
}

@Test func writingTakesAsLongAsTheText() {
    #expect(Tempo.lively.writing("ok") == .milliseconds(900))
    #expect(Tempo.lively.writing(String(repeating: "a", count: 50)) == .milliseconds(1_900))
    #expect(Tempo.lively.writing(String(repeating: "a", count: 5_000)) == .seconds(4))
}
