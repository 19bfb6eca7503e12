import FoundationEssentials
import SupabaseWire
import Testing

/// JSON as the decoder of the standard library reads it: an opinion that is not ours.
private struct Decoded: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: Key.self) {
            var members: [String: JSONValue] = [:]
            for key in keyed.allKeys {
                members[key.stringValue] = try keyed.decode(Decoded.self, forKey: key).value
            }
            value = .object(members)
        } else if var items = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !items.isAtEnd { values.append(try items.decode(Decoded.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        return .number(try container.decode(Double.self))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        "null", " true\n", "[]", "{}", "[[],[{}],{}]", #"{"a":{"b":[1,2,{"c":null}]},"d":"e"}"#, "0", "-0",
        "-12", "1.5", "1e3", "2.0", "1E-2", "0.1e+1", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", #""""#, #""\"\\\/\b\f\n\r\t""#, #""é 日本 👍""#, #""\u00e9\ud83d\ude00""#,
        "\t[ 1 ,\r\n2 ]  ", #"{"":1," ":2}"#, #"{"\u0061":"b"}"#, "[1,\"\u{7f}\"]", "25e-1", "-1.25e-3",
        "9007199254740993", "123456789012345678901234567890", #""\u0000""#, "\n{\t\"k\"\r:\n[1]}\n",
    ])
    func readsWhatTheDecoderReads(_ text: String) throws {
        let decoded = try JSONDecoder().decode(Decoded.self, from: Data(text.utf8)).value
        #expect(try JSONValue(JSONDocument(text).root) == decoded)
        #expect(try WireCoding.decode(from: Array(text.utf8), brokenText: .refused) == decoded)
    }

    @Test(arguments: [
        "", " ", "nul", "truefalse", "[1,]", "[,1]", "[1 2]", "{", "}", "[", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, "{a:1}", "{1:2}", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", #"""#, #""\x""#,
        #""\u12""#, #""\u12g4""#, "\"a\nb\"", "'a'", "1 1", "\u{FEFF}1", #""\"#, #"["\u"#,
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(throws: WireError.notJSON) { try JSONDocument(text) }
        #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: text) }
    }

    @Test func anyDepthIsADocumentAndNotEveryDepthAValue() throws {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(try WireCoding.decode(from: deep(512)).array?.count == 1)
        #expect(try JSONDocument(deep(100_000)).root.elements?.count == 1)
        #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: deep(513)) }
        let open = String(repeating: #"{"a":"#, count: 100_000)
        #expect(throws: WireError.notJSON) { try JSONDocument(open) }
    }

    @Test(arguments: [#""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #"{"\ud800":1}"#, "1e999"])
    func whoRefusesBrokenTextRefusesTheWhole(_ text: String) throws {
        #expect(throws: WireError.notJSON) {
            try WireCoding.decode(from: Array(text.utf8), brokenText: .refused)
        }
        _ = try WireCoding.decode(from: Array(text.utf8))
    }

    @Test func bytesThatAreNoTextAreReplacedOrRefused() throws {
        let broken: [[UInt8]] = [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22],
        ]
        for bytes in broken {
            #expect(throws: WireError.notJSON) { try WireCoding.decode(from: bytes, brokenText: .refused) }
            #expect(try WireCoding.decode(from: bytes).string?.contains("\u{FFFD}") == true)
        }
    }

    @Test func aNumberWithAPointIsWholeOnlyWhereItHasAllItsDigits() throws {
        let numbers = try JSONDocument("[1e3,2.0,9007199254740991.0,9007199254740993.0,1e300,1e999]").root
        #expect(
            numbers.elements?.map(\.integer) == [1_000, 2, 9_007_199_254_740_991, nil, nil, nil])
    }

    @Test func halfASurrogatePairIsReplaced() throws {
        let root = try JSONDocument(#"["\ud800","\udc00x","\ud800\u0041","\ud83dx\ude00"]"#).root
        #expect(root.elements?.map(\.string) == ["\u{FFFD}", "\u{FFFD}x", "\u{FFFD}A", "\u{FFFD}x\u{FFFD}"])
    }

    @Test func ofMembersWithOneNameTheFirstCounts() throws {
        let root = try JSONDocument(#"{"a":1,"\u0061":2,"b":{"a":3}}"#).root
        #expect(root["a"]?.integer == 1)
        #expect(try JSONValue(root)["a"] == 1)
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

    @Test func anEscapedIDIsAnID() throws {
        let text = #""0f6c1e88\u002d2a55-4c9d-8a0e-9b7d4c3f2a10""#
        #expect(UUID(try JSONDocument(text).root) == UUID(uuidString: "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10"))
    }

    @Test func aRowSaysWhichMemberIsMissingOrOfAnotherKind() throws {
        for key in ["id", "conversation_id", "body", "created_at", "updated_at"] {
            let absent = try WireCoding.text(WireExamples.message(without: key))
            #expect(throws: WireError.missing(key: key)) {
                try WireCoding.decode(MessageRow.self, from: absent)
            }
        }
        for key in ["id", "sender_id", "body", "attachment_size", "edited_at", "created_at"] {
            let wrong = try WireCoding.text(WireExamples.message(key, [[]]))
            #expect(throws: WireError.mismatch(path: key)) {
                try WireCoding.decode(MessageRow.self, from: wrong)
            }
        }
    }
}
