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

    @Test func aMarkBehindAPunctuationMarkHidesNothing() throws {
        #expect(
            try FilterParser.filter("body", "in.(a,\u{301}b)") == .column("body", .among(["a", "\u{301}b"])))
        #expect(
            try FilterParser.filter("body", "like.*\u{301}")
                == .column("body", .like("%\u{301}", ignoresCase: false)))
        #expect(throws: Refusal.self) { try FilterParser.filter("body", "in.(a)\u{301}") }
        #expect(try SelectionParser.order("id,body").map(\.column) == ["id", "body"])
    }

    @Test func aMarkBehindASeparatorHidesNoParameter() {
        let request = IncomingRequest(method: "GET", target: "/rest/v1/a?\u{301}x=1&\u{301}y=\u{301}2")
        #expect(request.path == ["rest", "v1", "a"])
        #expect(request.query.parameters.map(\.name) == ["\u{301}x", "\u{301}y"])
        #expect(request.query.parameters.map(\.value) == ["1", "\u{301}2"])
    }

    @Test func twoSpellingsOfALetterAreTwoValues() throws {
        let both = "or=(body.lt.e\u{301},and(body.lt.\u{E9},id.gt.00000000-0000-4000-8000-000000000000))"
        let query = try ReadQuery(Query(PercentText.encode(both, except: "=(),.")))
        let sql = try query.condition.sql(on: Source(.messages), alias: "t")
        #expect(!sql.text.contains("<="))  // no bound is shared
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
