@testable import Terminal

extension FuzzTarget {
    /// Foreign text on its way to a terminal: nothing in it can move, hide or rewrite anything.
    static let cleanText = FuzzTarget(
        "clean-text",
        words: [
            "\u{1B}[31m", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{1F3F4}", "\u{E0067}", "\u{E007F}",
            "\u{202E}",
            "\u{2066}", "\u{1F1E9}", "\u{1F468}", "\u{1F3FD}", "\u{301}", "\u{1100}", "\u{1161}", "\u{11A8}",
            "\u{AC00}", "\u{94D}", "\u{915}", "\u{E33}", "\u{600}", "\u{85}", "\u{2028}", "\u{FEFF}", "\r\n",
        ],
        workPerByte: 40_000,
        seeds: {
            [
                "Hello, world\ttab\r\nnext", "\u{1B}]0;title\u{7}\u{9B}31m\u{7F}", "👨‍👩‍👧‍👦🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽1️⃣",
                "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30A}", "ก็ษ์ นี่ हिन्दी क्ष्म 한국어 각",
                "\u{1100}\u{1100}\u{1161}\u{11A8}", "\u{202E}abc\u{2069}\u{200B}\u{AD}\u{FEFF}",
                "\u{F0000}\u{E000}",
                "क्क्क्क्क्क्क्क्क्क्क्क्क्क्क्क्क कक", "\u{1F1E9}\u{200D}\u{1F1E9}\u{1F1EA}\u{1F1E9}",
            ].map { Array($0.utf8) }
        },
        check: { input in
            let text = input.text
            if let finding = problem(of: CleanText(text), "a line") { return finding }
            let lines = CleanText.lines(text)
            guard lines.count == breaks(in: text) + 1 else { return "\(lines.count) lines" }
            for line in lines {
                if let finding = problem(of: line, "one of the lines") { return finding }
            }
            return nil
        })

    private static func problem(of clean: CleanText, _ what: String) -> String? {
        let text = clean.string
        if let scalar = text.unicodeScalars.first(where: isForbidden) {
            return "\(what) holds U+\(String(scalar.value, radix: 16))"
        }
        guard CleanText(text) == clean else {
            return "\(what) is not the same when cleaned again: \(text.debugDescription)"
        }
        guard text.count == clean.clusters.count else { return "\(what) falls into other clusters" }
        guard clean.clusters.allSatisfy({ (1...4).contains($0.cells) }) else {
            return "\(what) has a cluster without cells"
        }
        let half = Columns(clean.width.cells / 2)
        for part in [
            clean.prefix(fitting: half, ellipsis: true), clean.suffix(fitting: half, ellipsis: true),
        ] {
            guard part.width <= half else { return "a part of \(what) does not fit" }
        }
        return nil
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        // Joiners and the letters of a flag have their place within a cluster.
        case .format:
            !(scalar == "\u{200D}" || scalar == "\u{200C}" || (0xE0020...0xE007F).contains(scalar.value))
        default: false
        }
    }

    private static func breaks(in text: String) -> Int {
        var count = 0
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: count += last == "\r" ? 0 : 1
            case 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: count += 1
            default: break
            }
            last = scalar
        }
        return count
    }
}
