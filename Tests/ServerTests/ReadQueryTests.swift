import Testing

@testable import Server

@Suite struct ReadQueryTests {
    @Test func aSelectionHasNamesCastsAndEmbeddings() throws {
        let text =
            "id,when:created_at,size:attachment_size::text,sender:profiles!messages_sender_id_fkey!inner(username)"
        let items = try SelectionParser.items(text)
        var embed = Embed(alias: "sender", target: "profiles", hint: "messages_sender_id_fkey")
        embed.isInner = true
        embed.items = [.column(name: "username", alias: nil, cast: nil)]
        #expect(
            items == [
                .column(name: "id", alias: nil, cast: nil),
                .column(name: "created_at", alias: "when", cast: nil),
                .column(name: "attachment_size", alias: "size", cast: "text"), .embed(embed),
            ])
    }

    @Test(arguments: ["a,", "a(b(c))", "a->>b", "a:", "(a)", "a(b", "...a(b)"])
    func aSelectionItCannotServeIsRefused(_ text: String) {
        #expect(throws: Refusal.self) { try SelectionParser.items(text) }
    }

    @Test func anOrderSaysWhereNullsGo() throws {
        #expect(
            try SelectionParser.order("a,b.desc,c.asc.nullsfirst,d.desc.nullslast") == [
                OrderTerm(column: "a"), OrderTerm(column: "b", isDescending: true),
                OrderTerm(column: "c", nullsFirst: true),
                OrderTerm(column: "d", isDescending: true, nullsFirst: false),
            ])
        #expect(throws: Refusal.self) { try SelectionParser.order("a.down") }
    }

    @Test func parametersOfAnEmbeddingGoToIt() throws {
        let query = try ReadQuery(
            Query("select=id,reactions(symbol)&reactions.removed_at=is.null&reactions.limit=5&id=eq.1"))
        let embed = try #require(query.embeds.first)
        #expect(embed.limit == 5)
        #expect(embed.condition == .all([.column("removed_at", .state(.null))]))
        #expect(query.condition == .all([.column("id", .order(.eq, "1"))]))
    }

    @Test func aFilterOnWhatIsNotEmbeddedIsRefused() {
        #expect(throws: Refusal.self) { try ReadQuery(Query("select=id&reactions.symbol=eq.x")) }
    }

    @Test func aRangeIsALimitAndAnOffset() throws {
        let query = try ReadQuery(Query("limit=10&offset=5"), range: "2-4")
        #expect(query.limit == 3)
        #expect(query.offset == 7)
    }

    @Test(arguments: ["limit=-1", "offset=-2"])
    func aNegativeCountIsNoRange(_ text: String) throws {
        let refusal = #expect(throws: Refusal.self) { try ReadQuery(Query(text)) }
        #expect(refusal?.code == "PGRST103")
        #expect(refusal?.status == 416)
    }

    @Test func aPlusIsASpaceAndAPercentAByte() {
        #expect(Query("a=1+2&b=1%2B2&c=%zz&d=100%").parameters.map(\.value) == ["1 2", "1+2", "%zz", "100%"])
    }

    @Test func columnsMayBeQuoted() throws {
        #expect(try ReadQuery(Query(#"columns="id","body"&on_conflict=id"#)).columns == ["id", "body"])
    }
}
