import Testing

@testable import Server

@Suite struct FilterParserTests {
    @Test func aFilterIsAnOperatorAndAValue() throws {
        #expect(try FilterParser.filter("body", "eq.hello") == .column("body", .order(.eq, "hello")))
        #expect(try FilterParser.filter("body", "not.is.null") == .not(.column("body", .state(.null))))
        #expect(
            try FilterParser.filter("body", "ilike.*a*") == .column("body", .like("%a%", ignoresCase: true)))
        #expect(try FilterParser.filter("body", "wfts(simple).a b") == .column("body", .search(.web, "a b")))
    }

    @Test func outsideOfGroupsQuotesBelongToTheValue() throws {
        #expect(try FilterParser.filter("body", #"eq."a,b)"#) == .column("body", .order(.eq, #""a,b)"#)))
    }

    @Test func aListTakesQuotedValues() throws {
        let parsed = try FilterParser.filter("body", #"in.(a,"b,c","d\"e\\")"#)
        #expect(parsed == .column("body", .among(["a", "b,c", #"d"e\"#])))
        #expect(try FilterParser.filter("id", "in.()") == .column("id", .among([])))
    }

    @Test func groupsNestWithNegationAnywhere() throws {
        let parsed = try FilterParser.group(
            "(created_at.lt.2026-01-01T00:00:00+00:00,not.and(id.eq.1,body.not.is.null))", isAll: false,
            isNegated: false)
        #expect(
            parsed
                == .any([
                    .column("created_at", .order(.lt, "2026-01-01T00:00:00+00:00")),
                    .not(.all([.column("id", .order(.eq, "1")), .not(.column("body", .state(.null)))])),
                ]))
    }

    @Test func aQuantifierComparesWithSeveralValues() throws {
        let parsed = try FilterParser.filter("body", #"like(any).{a*,"b,c"}"#)
        #expect(
            parsed
                == .any([
                    .column("body", .like("a%", ignoresCase: false)),
                    .column("body", .like("b,c", ignoresCase: false)),
                ]))
    }

    @Test(arguments: [
        "equals.1", "eq", "1", "in.a,b", "in.(a,b", "is.nothing", "eq(some).{a}", "cs.{a}", "fts(german).a",
        "in.(a)b",
    ])
    func whatItDoesNotKnowIsRefused(_ text: String) {
        #expect(throws: Refusal.self) { try FilterParser.filter("id", text) }
    }

    @Test(arguments: ["", "()", "(a.eq.1", "(a.eq.1)b", "(a.eq.1,)", "(nonsense)", "(and)"])
    func aBrokenGroupIsRefused(_ text: String) {
        #expect(throws: Refusal.self) { try FilterParser.group(text, isAll: true, isNegated: false) }
    }

    @Test func endlessNestingIsRefused() {
        let text = String(repeating: "(and", count: 500) + "(a.eq.1" + String(repeating: ")", count: 501)
        #expect(throws: Refusal.self) { try FilterParser.group(text, isAll: true, isNegated: false) }
    }

    @Test func theFeedsFiltersAreJoinedByCommas() throws {
        let parts = try FilterParser.changeFilter(#"conversation_id=eq.1,body=not.in.(a,"b,c")"#)
        #expect(parts.map(\.0) == ["conversation_id", "body"])
        #expect(parts.map(\.isNegated) == [false, true])
        #expect(parts.map(\.2) == [.order(.eq, "1"), .among(["a", "b,c"])])
    }
}
