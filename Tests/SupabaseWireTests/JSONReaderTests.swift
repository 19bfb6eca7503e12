import FoundationEssentials
import SupabaseWire
import Testing

@Suite struct JSONReaderTests {
    /// The decoder's reading of the same text: through a type of its own, so that it is really asked.
    private struct Decoded: Decodable {
        let value: JSONValue
        init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }
    }

    @Test(arguments: [
        "null", " true ", "false", "0", "-0", "12", "-7", "1.0", "1.5", "1e3", "1E+2", "25e-1", "-1.25e-3",
        "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "123456789012345678901234567890", "0.1", "[]", "{}", "[ ]", "{ }", "[1,2 , 3]", #"{"a":1,"b":[{}]}"#,
        #"{"a" : null , "a2":"x"}"#, #""""#, #""plain""#, #""é 👍🏽 \u00e9 \ud83d\ude00 \/ \\ \" \b\f\n\r\t""#,
        #""\u0000""#, "[[[[]]]]", "\n{\t\"k\"\r:\n[1]}\n",
    ])
    func itReadsWhatTheDecoderReads(_ text: String) throws {
        let decoded = try JSONDecoder().decode(Decoded.self, from: Data(text.utf8)).value
        #expect(try WireCoding.decode(from: text) == decoded)
        #expect(try WireCoding.decode(from: Array(text.utf8)) == decoded)
    }

    @Test(arguments: [
        "", " ", "nul", "nulls", "tru", "+1", "01", "1.", ".5", "1e", "-", "--1", "0x1", "1e999", "NaN",
        "[1", "[1,]", "[,]", "[1 2]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a":1"#, "]",
        #"""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\"#,
        "\"a\nb\"", "1 2", "{} []", "// no\n1", "'a'",
    ])
    func whatIsNoJSONIsRefused(_ text: String) {
        #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: text) }
    }

    @Test func textThatIsNoUTF8IsRefused() {
        let broken: [[UInt8]] = [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22],
        ]
        for bytes in broken {
            #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: bytes) }
        }
    }

    @Test func nestingHasAnEnd() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try WireCoding.decode(JSONValue.self, from: deep).array?.count == 1)
        #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: "[" + deep + "]") }
        let open = String(repeating: "{\"a\":", count: 1_000_000)
        #expect(throws: WireError.notJSON) { try WireCoding.decode(JSONValue.self, from: open) }
    }

    @Test func ofAKeyThatComesTwiceTheFirstCounts() throws {
        #expect(try WireCoding.decode(from: #"{"a":1,"a":2}"#) == ["a": 1])
    }
}
