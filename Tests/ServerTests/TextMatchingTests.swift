import Testing

@testable import Server

@Suite struct TextMatchingTests {
    @Test(arguments: [
        ("hello", "h%o", true), ("hello", "h_llo", true), ("hello", "ell", false), ("100%", #"100\%"#, true),
        ("1000", #"100\%"#, false), ("", "%", true), ("añb", "a_b", true), ("aXbXc", "a%b%c", true),
    ])
    func aPatternFitsTheWholeText(_ text: String, _ pattern: String, _ fits: Bool) {
        #expect(TextPattern.matches(text, like: pattern, ignoresCase: false) == fits)
    }

    @Test func casesAreFoldedBeyondASCII() {
        #expect(TextPattern.matches("ÄPFEL", like: "äpf%", ignoresCase: true))
        #expect(!TextPattern.matches("ÄPFEL", like: "äpf%", ignoresCase: false))
    }

    @Test(arguments: [
        ("hello", "^h.*o$", true), ("hello", "l{2}", true), ("hello", "l{3}", false), ("a.b", #"a\.b"#, true),
        ("axb", #"a\.b"#, false), ("cat", "dog|cat", true), ("x1", #"[[:alpha:]]\d"#, true),
        ("word", #"\mword\M"#, true), ("swords", #"\mword\M"#, false), ("b", "[^a]", true),
        ("]", "[]]", true),
        ("aaa", "^(a|b)+?$", true), ("", "^$", true), ("ab", "(?:ab){1,2}", true), ("a-b", "[a-]-", true),
    ])
    func anExpressionIsFoundAnywhere(_ text: String, _ pattern: String, _ found: Bool) throws {
        #expect(try RegularExpression(pattern, ignoresCase: false).matches(text) == found)
    }

    /// The letter behind a backslash is no letter of the text.
    @Test(arguments: [
        (" ", #"^\S$"#, false), ("x", #"^\S$"#, true), ("5", #"\D"#, false), ("a", #"\W"#, false),
        ("word", #"\mWORD\M"#, true), ("HELLO", "^h[A-F]", true), ("ä", "[Ä]", true),
        ("a", "[[:upper:]]", true),
        ("İ", "^İ$", true), ("_", "[Z-a]", true),
    ])
    func aCaseIsIgnoredInLettersOnly(_ text: String, _ pattern: String, _ found: Bool) throws {
        #expect(try RegularExpression(pattern, ignoresCase: true).matches(text) == found)
    }

    @Test(arguments: ["(", ")", "[a", "a{2", "*a", #"\1"#, "(?=a)", "a{1000}", #"a\"#, "[z-a]"])
    func whatIsNoExpressionIsRefused(_ pattern: String) {
        let refusal = #expect(throws: Refusal.self) { try RegularExpression(pattern, ignoresCase: false) }
        #expect(refusal?.code == "2201B")
    }

    @Test func anExpressionThatBacktracksElsewhereEndsAtOnce() throws {
        let text = String(repeating: "a", count: 2_000) + "!"
        #expect(try !RegularExpression("^(a+)+$", ignoresCase: false).matches(text))
    }

    @Test func repeatedNothingIsTooComplex() {
        #expect(throws: Refusal.self) {
            try RegularExpression("((((){255}){255}){255}){255}", ignoresCase: false)
        }
    }

    @Test(arguments: [
        ("lunch friday", "Lunch on Friday?", true), ("lunch -friday", "Lunch on Friday?", false),
        ("\"on friday\"", "Lunch on Friday?", true), ("\"lunch friday\"", "Lunch on Friday?", false),
        ("supper or lunch", "Lunch on Friday?", true), ("", "anything", false), ("lun", "Lunch", false),
        ("what's", "and what's up", true), ("-friday", "Lunch", true),
    ])
    func aSearchBoxKnowsPhrasesOrAndNot(_ query: String, _ text: String, _ found: Bool) throws {
        #expect(try TextQuery(query, .web).matches(TextQuery.words(text)) == found)
    }

    @Test(arguments: [
        ("a & (b | !c)", "a d", true), ("a & (b | !c)", "a c", false), ("a <-> b", "x a b", true),
        ("a <-> b", "b a", false), ("hel:*", "hello", true), ("'a b'", "a b", true),
    ])
    func operatorsCombineWords(_ query: String, _ text: String, _ found: Bool) throws {
        #expect(try TextQuery(query, .operators).matches(TextQuery.words(text)) == found)
    }

    @Test(arguments: ["a b", "a &", "(a", "& a", "a <-> !b"])
    func operatorsThatDoNotFitAreRefused(_ query: String) {
        let refusal = #expect(throws: Refusal.self) { try TextQuery(query, .operators) }
        #expect(refusal?.code == "42601")
    }

    @Test func candidatesAreNeverFewerThanMatches() throws {
        #expect(try TextQuery("a -b", .web).candidates == "(\"a\")")
        #expect(try TextQuery("a or -b", .web).candidates == nil)
        #expect(try TextQuery("say \"x y\"", .web).candidates == "(\"say\" AND \"x y\")")
    }
}
