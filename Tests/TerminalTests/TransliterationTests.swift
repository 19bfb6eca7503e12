import Terminal
import Testing

struct TransliterationTests {
    private func ascii(_ text: String) -> String {
        String(decoding: CleanText(text).clusters.flatMap(\.ascii), as: UTF8.self)
    }

    @Test func lettersLoseTheirMarks() {
        #expect(ascii("Grüße, señor, žluťoučký") == "Gruse, senor, zlutoucky")
        #expect(ascii("e\u{301}a\u{308}") == "ea")
        #expect(ascii("Привет Ωμέγα") == "Privet Omega")
    }

    @Test func boxesAndSignsHaveStandIns() {
        #expect(ascii("┌─┐│└┘") == "+-+|++")
        #expect(ascii("“quotes” – dash …") == "\"quotes\" - dash .")
    }

    @Test func whatHasNoneKeepsItsCells() {
        #expect(ascii("漢字") == "????")
        #expect(ascii("👍 ❤\u{FE0F} 🇳🇴") == "+1 <3 ??")
        #expect(ascii("ＡＢ") == "A B ")
    }

    @Test(arguments: Body.emoji + Body.plain + Body.hostile) func theCellsNeverChange(body: Body) {
        for cluster in CleanText(body.body).clusters {
            #expect(cluster.ascii.count == cluster.width.cells)
            #expect(cluster.ascii.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }
}
