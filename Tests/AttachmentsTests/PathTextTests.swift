import Testing

@testable import Attachments

@Suite struct PathTextTests {
    @Test(arguments: [
        ("~/cat.png", "/home/ana/cat.png"), ("~", "/home/ana"), ("~ben/x", "~ben/x"),
        ("'/tmp/my cat.png'", "/tmp/my cat.png"), (#""/tmp/a""#, "/tmp/a"), ("'", "'"), ("a'b", "a'b"),
        ("'~/x y'", "/home/ana/x y"), ("  /tmp/My Cat.PNG  ", "/tmp/My Cat.PNG"),
        (#"/tmp/My\ Cat.PNG"#, "/tmp/My Cat.PNG"), (#"a\\b"#, #"a\b"#), (#"a\ "#, "a "),
        (#"'it'\''s.png'"#, "it's.png"), (#""a \"b\" \c""#, #"a "b" \c"#), (#"$'a\nb\x41\t\''"#, "a\nbA\t'"),
        ("$HOME/x", "$HOME/x"), (#""open"#, #""open"#), ("'a' ", "a"), ("Ben's cat", "Ben's cat"),
    ])
    func aPathIsReadAsAPersonOrATerminalWritesIt(_ text: String, _ path: String) {
        #expect(PathText.read(text).expanded(home: "/home/ana") == LocalPath(path))
        #expect(PathText.read("~/x").expanded(home: nil) == LocalPath("~/x"))
    }

    /// Names nobody would give a file, and somebody has.
    static let names: [[UInt8]] =
        [
            "plain.txt", "two words", " leading", "trailing ", "   ", " ", "'quoted'", "\"quoted\"", "$'x'",
            "it's",
            #"back\slash"#, #"ends in \"#, "-rf", "~", "a\nb", "a\tb", "\u{1B}[31mred", "\u{202E}gpj.exe",
            "naïve",
            "e\u{301}", "日本語", "👨‍👩‍👧", "zero\u{200B}width", "$HOME", "a\u{7F}", "#x", ";", "&", "*", "?",
        ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0x61, 0xC3], [0xC3, 0x28, 0x27, 0x5C]]

    @Test(arguments: names, [PathText.Style.plain, .single, .double, .ansi])
    func whatIsWrittenIsReadBack(_ name: [UInt8], _ style: PathText.Style) {
        let text = PathText.write(name, style)
        #expect(PathText.read(text).bytes == name, "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        let open = PathText.reading(of: PathText.write(name, style, isOpen: true), isTyping: true)
        #expect(open.bytes == name, "\(text)")
    }

    @Test func aPlainNameIsWrittenAsItIs() {
        #expect(PathText.write(Array("/tmp/My Cat's (2).png".utf8), .plain) == "/tmp/My Cat's (2).png")
        #expect(PathText.write(Array("日本 語".utf8), .plain) == "日本 語")
    }
}
