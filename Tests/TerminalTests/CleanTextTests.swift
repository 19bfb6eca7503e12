import Terminal
import Testing

struct CleanTextTests {
    @Test func controlsBecomePicturesThatSayWhichTheyWere() {
        #expect(CleanText("a\u{0}b\u{1B}[2J\u{7}\u{7F}").string == "a␀b␛[2J␇␡")
        #expect(CleanText("\u{9B}31m").string == "␛31m")
    }

    @Test(arguments: Body.hostile) func aHostileBodyKeepsItsWordsAndNoControl(body: Body) {
        let clean = CleanText(body.body)
        #expect(!clean.isEmpty)
        #expect(
            clean.string.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }

    /// Each syllable would join the overlong one as soon as the one before it is dropped.
    @Test(.timeLimit(.minutes(1))) func whatJoinsAnOverlongClusterCostsNoMoreThanItsLength() {
        let overlong = String(repeating: "\u{1100}", count: 33) + "\u{1161}\u{11A8}"
        let clean = CleanText(overlong + String(repeating: "\u{1161}\u{11A8}", count: 30_000) + "end")
        #expect(clean.string == String(repeating: "\u{1100}", count: 32) + "end")
    }

    @Test func whatFallsApartWhenAMarkIsDroppedIsSeveralClusters() {
        // The virama that joins the two letters is the ninth mark.
        let clean = CleanText("\u{915}" + String(repeating: "\u{93C}", count: 8) + "\u{94D}\u{915}")
        #expect(clean.clusters.count == clean.string.count)
        #expect(CleanText(clean.string) == clean)
    }

    @Test func halfASyllableStandsAlone() {
        let clean = CleanText("\u{11A8} \u{1161}")
        #expect(clean.string == "\u{11A8} \u{1161}")
        #expect(CleanText("\u{301}").string == "\u{25CC}\u{301}")
    }

    @Test func flagsPairUpAnewWhereAJoinerStoodBetween() {
        let clean = CleanText("\u{1F1E9}\u{200D}\u{1F1E9}\u{1F1EA}\u{1F1E9}\u{1F1EA}")
        #expect(clean.clusters.map(\.text) == ["\u{1F1E9}\u{1F1E9}", "\u{1F1EA}\u{1F1E9}", "\u{1F1EA}"])
    }

    @Test func allHostileBodiesWereRead() { #expect(Body.hostile.count >= 10) }

    @Test(arguments: [
        "\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{E000}", "\u{F0000}", "\u{10FFFF}",
        "\u{E0041}", "\u{206A}", "\u{061C}",
    ])
    func whatCannotBeSeenIsDropped(scalar: String) {
        #expect(CleanText("photo_\(scalar)gnp.exe").string == "photo_gnp.exe")
    }

    @Test func everyScalarIsSafeAlone() {
        // The planes without the long runs of ideographs, which are one case.
        for value in [0...0x4E10, 0x9FF0...0x1F_FFF, 0xE0000...0xE0200, 0xF0000...0xF0010].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            for cluster in CleanText(String(Character(scalar))).clusters {
                #expect(isSafe(cluster.text), "U+\(String(value, radix: 16))")
                #expect((1...4).contains(cluster.width.cells))
            }
        }
    }

    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
            default: true
            }
        }
    }

    @Test func joinersStayOnlyInsideACluster() {
        #expect(CleanText("\u{200D}").isEmpty)
        #expect(CleanText("a\u{200D}").string == "a")
        #expect(CleanText("\u{200D}b").string == "b")
        #expect(CleanText("👨\u{200D}👩\u{200D}").string == "👨\u{200D}👩")
    }

    @Test func tagsStayOnlyInAFlag() {
        let england = "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
        #expect(CleanText(england).string == england)
        #expect(CleanText(england).width == 2)
        #expect(CleanText("a\u{E0067}\u{E0062}").string == "a")
    }

    @Test func whatIsLeftWhenSomethingIsDroppedIsCleanedAgain() {
        for parts in ["🇳\u{200D}\u{200B}🇴", "a\u{200B}\u{301}", "\u{200D}\u{200D}🇳\u{200D}🇴\u{200D}🇳"] {
            let clean = CleanText(parts)
            #expect(CleanText(clean.string) == clean)
        }
    }

    @Test func aClusterHasAtMostEightMarks() {
        for count in [100, 1_000, 10_000] {
            let clean = CleanText("a" + String(repeating: "\u{301}\u{316}", count: count) + " end")
            #expect(clean.clusters.count == 5)
            #expect(clean.clusters[0].text.unicodeScalars.count == 9)
            #expect(clean.width == 5)
        }
    }

    @Test func aChainOfJoinedEmojiIsCutNotSplit() {
        let clean = CleanText(Array(repeating: "👨", count: 500).joined(separator: "\u{200D}"))
        #expect(clean.width == 2)
        #expect(clean.string.unicodeScalars.count <= 32)
    }

    @Test func aMarkWithoutABaseGetsOne() {
        #expect(CleanText("\u{301}x").string == "\u{25CC}\u{301}x")
        #expect(CleanText("\u{301}x").width == 2)
    }

    @Test func anInvisibleMarkIsNoColumn() {
        #expect(CleanText("e\u{301}").width == 1)
        #expect(CleanText("é").width == 1)
    }

    @Test(arguments: Body.emoji) func anEmojiHasTheWidthPeopleSee(body: Body) {
        guard let expected = body.expectedCells else { return }
        let clean = CleanText(String(body.body.prefix { $0 != "|" }))
        #expect(clean.width == Columns(expected), "\(body.note ?? "")")
    }

    @Test(arguments: Body.plain) func plainTextStaysAsItIs(body: Body) {
        #expect(CleanText(body.body).string == body.body)
    }

    @Test(arguments: [
        ("日本", 4, true), ("かな", 4, true), ("한국", 4, true), ("ＡＢ", 4, true), ("ｱ", 1, false),
        ("Ω", 1, true), ("ж", 1, true), ("é", 1, true), ("①", 1, false), ("─", 1, true), ("…", 1, false),
        ("❤", 1, false), ("❤\u{FE0F}", 2, false), ("👍🏽", 2, false), ("🇳🇴", 2, false), ("🇳", 1, false),
        ("#\u{FE0F}\u{20E3}", 2, false), ("क्षि", 3, false), ("\u{1112}\u{1161}\u{11AB}", 2, false),
    ])
    func everyKindOfClusterHasItsWidth(text: String, width: Int, isTrusted: Bool) {
        let clean = CleanText(text)
        #expect(clean.width == Columns(width))
        #expect(clean.clusters.allSatisfy { $0.isTrusted == isTrusted })
    }

    @Test func breaksAndTabsAreSpacesInOneLine() {
        #expect(CleanText("a\r\nb\tc\u{2028}d\u{85}e").string == "a b c d e")
    }

    @Test func eachKindOfBreakEndsALineOnce() {
        let lines = CleanText.lines(String(decoding: PackageResources.breaks_txt, as: UTF8.self)).map(
            \.string)
        #expect(
            lines == [
                "first CRLF", "second CR", "third LF", "fourth CRCRLF", "", "fifth LS", "sixth NEL",
                "seventh VT",
                "eighth FF", "ninth", "", "after one empty line", "",
            ])
    }

    /// A skin tone, a mark, a joiner, half a syllable; and a letter that takes what follows it.
    @Test(arguments: [
        "\t\u{1F3FD}", "a\t\u{301}b", "\t\u{200D}\u{1F3FD}", "\u{D4E}\t\u{1F3FD}", "\t\u{202E}\u{1F3FD}\tc",
        "\u{1100}\t\u{1161}", "\t\u{FF9E}\t\u{903}",
    ])
    func whatJoinsTheSpaceOfATabIsOneClusterWithIt(raw: String) {
        let line = CleanText.lines(raw)[0]
        #expect(CleanText(line.string) == line)
        #expect(line.string.count == line.clusters.count)
    }

    @Test func whatStandsBehindACharacterThatJoinedATabIsInItsColumn() {
        let line = CleanText.lines("\t\u{301}a\tb")[0]
        #expect(line.prefix(fitting: 16).string.hasSuffix(" "))
        #expect(line.suffix(fitting: 1).string == "b")
        #expect(line.width == 17)
    }

    @Test func tabsReachTheNextMultipleOfEight() {
        #expect(CleanText.lines("a\tb")[0].string == "a       b")
        #expect(CleanText.lines("12345678\tb")[0].string == "12345678        b")
        #expect(CleanText.lines("日本\tb")[0].string == "日本    b")
    }

    @Test func aPrefixNeverSplitsAWideCluster() {
        let clean = CleanText("日本語")
        #expect(clean.prefix(fitting: 3).string == "日")
        #expect(clean.prefix(fitting: 5, ellipsis: true).string == "日本…")
        #expect(clean.prefix(fitting: 4, ellipsis: true).string == "日…")
        #expect(clean.prefix(fitting: 1, ellipsis: true).string == "…")
        #expect(clean.prefix(fitting: 0, ellipsis: true).isEmpty)
        #expect(clean.prefix(fitting: -3).isEmpty)
        #expect(clean.prefix(fitting: 6, ellipsis: true) == clean)
    }

    @Test func aSuffixKeepsTheEnd() {
        #expect(CleanText("holiday-photo.jpeg").suffix(fitting: 8, ellipsis: true).string == "…to.jpeg")
        #expect(CleanText("日本語").suffix(fitting: 3).string == "語")
    }

    @Test func invalidUTF8IsShownAsReplacements() {
        let broken = String(decoding: [0x42, 0x65, 0xE4, 0x6E, 0xED, 0xA0, 0x80, 0xFF], as: UTF8.self)
        #expect(CleanText(broken).string.hasPrefix("Be\u{FFFD}n"))
    }

    @Test func t39ANULIsShownAsAMarkAndTheTextBehindItToo() {
        #expect(CleanText("left\u{0}right").string == "left␀right")
        #expect(CleanText(String(repeating: "\u{0}", count: 10_000)).width == 10_000)
    }
}
