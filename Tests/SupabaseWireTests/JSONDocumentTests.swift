import FoundationEssentials
import SupabaseWire
import Testing

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        "null", " true\n", "[]", "{}", "[[],[{}],{}]", #"{"a":{"b":[1,2,{"c":null}]},"d":"e"}"#, "0", "-0",
        "-12", "1.5", "1e3", "2.0", "1E-2", "0.1e+1", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", #""""#, #""\"\\\/\b\f\n\r\t""#, #""é 日本 👍""#, #""\u00e9\ud83d\ude00""#,
        "\t[ 1 ,\r\n2 ]  ", #"{"":1," ":2}"#, #"{"\u0061":"b"}"#, "[1,\"\u{7f}\"]",
    ])
    func readsWhatTheDecoderReads(_ text: String) throws {
        #expect(JSONValue(try JSONDocument(text).root) == (try WireCoding.decode(JSONValue.self, from: text)))
    }

    @Test(arguments: [
        "", " ", "nul", "truefalse", "[1,]", "[,1]", "[1 2]", "{", "}", "[", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, "{a:1}", "{1:2}", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", #"""#, #""\x""#,
        #""\u12""#, #""\u12g4""#, "\"a\nb\"", "'a'", "1 1", "\u{FEFF}1", #""\"#, #"["\u"#,
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(throws: WireError.notJSON) { try JSONDocument(text) }
    }

    @Test func levelsAreLimited() throws {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        _ = try JSONDocument(deep(500))
        #expect(throws: WireError.notJSON) { try JSONDocument(deep(100_000)) }
    }

    @Test func halfASurrogatePairIsReplaced() throws {
        let root = try JSONDocument(#"["\ud800","\udc00x","\ud800\u0041","\ud83dx\ude00"]"#).root
        #expect(root.elements?.map(\.string) == ["\u{FFFD}", "\u{FFFD}x", "\u{FFFD}A", "\u{FFFD}x\u{FFFD}"])
    }

    @Test func ofMembersWithOneNameTheFirstCounts() throws {
        let root = try JSONDocument(#"{"a":1,"\u0061":2,"b":{"a":3}}"#).root
        #expect(root["a"]?.integer == 1)
        #expect(JSONValue(root)["a"] == 1)
        #expect(root["b"]?["a"]?.integer == 3)
        #expect(root["c"] == nil)
    }

    @Test func valuesOfAnotherKindAreNotRead() throws {
        let root = try JSONDocument(#"["1",1,1.5,null,true,[],{}]"#).root
        let nodes = try #require(root.elements)
        #expect(nodes.map(\.string) == ["1", nil, nil, nil, nil, nil, nil])
        #expect(nodes.map(\.integer) == [nil, 1, nil, nil, nil, nil, nil])
        #expect(nodes.map(\.bool) == [nil, nil, nil, nil, true, nil, nil])
        #expect(nodes.map { $0.elements != nil } == [false, false, false, false, false, true, false])
        #expect(nodes.map { $0.members != nil } == [false, false, false, false, false, false, true])
    }

    @Test(arguments: [
        "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10", "0F6C1E88-2A55-4C9D-8A0E-9B7D4C3F2A10",
        "0f6c1e882a55-4c9d-8a0e-9b7d4c3f2a10-", "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a1g", "", "0f6c1e88",
        "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a100",
    ])
    func anIDIsReadAsItsTextIs(_ text: String) throws {
        #expect(
            UUID(try JSONDocument("\"\(text)\"").root)
                == (text.utf8.count == 36 ? UUID(uuidString: text) : nil))
    }

    @Test func bothWaysToReadARowAgree() throws {
        for text in [WireExamples.message, try WireCoding.text(WireExamples.message("body", nil))] {
            let members = try #require(try JSONDocument(text).root.members)
            #expect(try MessageRow(members) == WireCoding.decode(MessageRow.self, from: text))
        }
        let reaction = try #require(try JSONDocument(WireExamples.reaction).root.members)
        #expect(try ReactionRow(reaction) == WireCoding.decode(ReactionRow.self, from: WireExamples.reaction))
    }

    @Test func bothWaysToReadARowFailAlike() throws {
        for key in ["id", "conversation_id", "body", "created_at", "updated_at"] {
            let absent = try WireCoding.text(WireExamples.message(without: key))
            let members = try #require(try JSONDocument(absent).root.members)
            #expect(throws: WireError.missing(key: key)) { try MessageRow(members) }
            #expect(throws: WireError.missing(key: key)) {
                try WireCoding.decode(MessageRow.self, from: absent)
            }
        }
        for key in ["id", "sender_id", "body", "attachment_size", "edited_at", "created_at"] {
            let wrong = try WireCoding.text(WireExamples.message(key, [[]]))
            let members = try #require(try JSONDocument(wrong).root.members)
            #expect(throws: WireError.mismatch(path: key)) { try MessageRow(members) }
            #expect(throws: WireError.mismatch(path: key)) {
                try WireCoding.decode(MessageRow.self, from: wrong)
            }
        }
    }
}
