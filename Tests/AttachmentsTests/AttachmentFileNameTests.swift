import Testing

@testable import Attachments

private func name(_ suggested: String?) -> String {
    AttachmentFileName(suggested, fallback: "file from ana").text
}

@Test(arguments: [
    ("../outside.txt", "outside.txt"), ("../../outside2.txt", "outside2.txt"),
    ("a/../../outside3.txt", "outside3.txt"), ("/absolute/evil.txt", "evil.txt"),
    ("//server/share.txt", "share.txt"), ("....//....//x.txt", "x.txt"), ("..", "file from ana"),
    (".", "file from ana"), ("%2e%2e%2fcoded.txt", "%2e%2e%2fcoded.txt"), ("..%2fhalf.txt", "%2fhalf.txt"),
    ("~/home.txt", "home.txt"), ("~root/x", "x"), ("C:\\evil.txt", "evil.txt"), ("..\\back.txt", "back.txt"),
    ("link-to-elsewhere/in.txt", "in.txt"), ("./../sneaky", "sneaky"), ("normal.txt", "normal.txt"),
    ("normal.txt/../../x", "x"), ("file:///x", "x"), ("$HOME/x", "x"), ("`touch x`.txt", "`touch x`.txt"),
    ("-rf", "_-rf"), ("a\u{2215}..\u{2215}b.txt", "a_.._b.txt"), ("..\u{FF0F}wide.txt", "_wide.txt"),
    ("C:evil.txt", "C_evil.txt"), ("folder/", "file from ana"), ("a\0b.txt", "file from ana"),
])
func aNameNeverLeadsOutOfTheFolder(suggested: String, safe: String) {
    #expect(name(suggested) == safe)
}

@Test(arguments: [
    ("line\nbreak.txt", "line break.txt"), ("carriage\rreturn.pdf", "carriage return.pdf"),
    ("both\r\nends.txt", "both ends.txt"), ("tab\tname.txt", "tab name.txt"),
    ("esc\u{1b}[31mred.txt", "esc[31mred.txt"), ("del\u{7f}.txt", "del.txt"), ("--help", "_--help"),
    ("-o.txt", "_-o.txt"), (" -o.txt", "_-o.txt"), (".-o.txt", "_-o.txt"), (" leading.txt", "leading.txt"),
    ("trailing.txt ", "trailing.txt"), ("trailing.", "trailing"), ("trailing. .", "trailing"),
    ("...", "file from ana"), ("\u{e9}.txt", "\u{e9}.txt"), ("e\u{301}.txt", "\u{e9}.txt"),
    ("party 🎉.png", "party 🎉.png"), ("what?.txt", "what_.txt"), ("star*.txt", "star_.txt"),
    ("a|b.txt", "a_b.txt"), ("\"quoted\".txt", "_quoted_.txt"), ("<tag>.html", "_tag_.html"),
    ("10:30.log", "10_30.log"), ("semi;colon.txt", "semi;colon.txt"), ("per%cent%41.txt", "per%cent%41.txt"),
    ("hash#.txt", "hash#.txt"), ("amp&.txt", "amp&.txt"), ("new\u{2028}line.txt", "new line.txt"),
    ("\u{202e}gnp.exe", "gnp.exe"), ("zero\u{200b}.txt", "zero.txt"), ("\u{feff}bom.txt", "bom.txt"),
    ("c1\u{9b}.txt", "c1.txt"), ("nel\u{85}x.txt", "nel x.txt"), ("many     spaces.txt", "many spaces.txt"),
    (".bashrc", "bashrc"), ("", "file from ana"), (" . ", "file from ana"), ("\u{e000}", "file from ana"),
])
func oddNamesBecomeReadableOnes(suggested: String, safe: String) {
    #expect(Array(name(suggested).unicodeScalars) == Array(safe.unicodeScalars))
}

@Test(arguments: [
    ("photo_\u{202e}gnp.exe", "photo_gnp.exe"), ("notes\u{2066}txt.sh\u{2069}", "notestxt.sh"),
    ("photo.jpg                                    .exe", "photo.jpg .exe"),
    ("a\u{200f}b\u{061c}.pdf", "ab.pdf"), ("x\u{ad}.t\u{2060}xt", "x.txt"),
])
func theTrueExtensionIsTheOneSeen(suggested: String, safe: String) {
    #expect(name(suggested) == safe)
}

@Test(arguments: [
    "con", "CON.txt", "Nul .tar.gz", "com1", "LPT9.x.y", "COM¹.txt", "aux.h",
])
func deviceNamesOfOtherSystemsAreMadeHarmless(suggested: String) {
    #expect(name(suggested) == "_" + suggested)
}

@Test(arguments: ["console.txt", "com10.txt", "nullable", "com", "lpt0"])
func namesThatOnlyBeginLikeDevicesStay(suggested: String) {
    #expect(name(suggested) == suggested)
}

@Test(arguments: [
    "👩‍💻.png", "👍🏽 done.txt", "❤️‍🔥.gif", "日本語 ファイル.pdf", "résumé (final).docx", "Ελλάς.txt",
])
func whatPeopleReallyWriteStays(suggested: String) {
    #expect(name(suggested) == suggested)
}

@Test func aJoinerBetweenLettersGoes() {
    #expect(name("pay\u{200d}pal.exe") == "paypal.exe")
    #expect(name("1\u{200d}2.exe") == "12.exe")
}

@Test func aHundredAccentsBecomeEight() {
    let stacked = "e" + String(repeating: "\u{316}", count: 100) + ".txt"
    #expect(name(stacked).unicodeScalars.count == 1 + 8 + 4)
    #expect(name("\u{301}x.txt") == "x.txt")
}

@Test func withoutAnyNameThereIsStillOne() {
    #expect(AttachmentFileName(nil, fallback: "../photo 2.jpg").text == "photo 2.jpg")
    #expect(AttachmentFileName(nil, fallback: "..").text == "file")
}

@Test(arguments: [249, 250, 251, 255, 256, 4_096, 100_000])
func aLongNameIsCutInItsStemAndFitsWithNumberAndSuffix(length: Int) {
    let long = AttachmentFileName(String(repeating: "a", count: length - 4) + ".mp4", fallback: "x")
    #expect(long.text.utf8.count == 240)
    #expect(long.text.hasSuffix("a.mp4"))
    let numbered = long.numbered(AttachmentFileName.highestNumber).text
    #expect(numbered.hasSuffix("a (9999).mp4"))
    #expect((numbered + ".part").utf8.count <= 255)
}

@Test func aNameIsCutBetweenCharacters() {
    let long = AttachmentFileName(String(repeating: "👩‍👩‍👧‍👦", count: 20) + ".png", fallback: "x").text
    #expect(long == String(repeating: "👩‍👩‍👧‍👦", count: 9) + ".png")  // 25 bytes each
}

@Test func oneCharacterLongerThanTheLimitIsCutInside() {
    let endless = "👩" + String(repeating: "\u{200d}👩", count: 100) + ".png"
    let cut = AttachmentFileName(endless, fallback: "x").text
    #expect(cut.utf8.count <= 240)
    #expect(cut.hasSuffix(".png"))
}

@Test func cuttingLeavesNoSpaceOrDotAtTheEnd() {
    let long = String(repeating: "a", count: 230) + " . . . . . . . .b" + ".txt"
    #expect(AttachmentFileName(long, fallback: "x").text == String(repeating: "a", count: 230) + ".txt")
}

@Test(arguments: [
    ("a.tar.gz", "a (2).tar.gz"), ("a.TAR.XZ", "a (2).TAR.XZ"), ("a.b.gz", "a.b (2).gz"),
    ("plain", "plain (2)"),
    ("Mr. Smith went home", "Mr. Smith went home (2)"), ("v1.2", "v1 (2).2"),
    ("x.averyveryverylongone", "x.averyveryverylongone (2)"), ("tar.gz", "tar (2).gz"),
])
func aNumberGoesBeforeTheExtension(suggested: String, second: String) {
    #expect(AttachmentFileName(suggested, fallback: "x").numbered(2).text == second)
}

@Test func twinsHaveOneKey() {
    func key(_ suggested: String) -> String { AttachmentFileName(suggested, fallback: "x").collisionKey }
    #expect(key("Video.MP4") == key("video.mp4"))
    #expect(AttachmentFileName.collisionKey(of: "e\u{301}.txt") == key("\u{c9}.TXT"))
    #expect(key("STRASSE") == key("straße"))
    #expect(key("a.txt") != key("b.txt"))
}

@Test func aSafeNameStaysAsItIs() {
    for suggested in [
        "_-rf", "CON.txt", "a/b", "…", "x (2).tar.gz", "\u{1100}\u{1161}.txt", "-", "é \u{3000}x",
    ] {
        let once = name(suggested)
        #expect(name(once) == once)
    }
}

/// T39: a NUL ends a name where C reads it.
@Test(arguments: ["left\0right.png", "\0", "right.png\0", String(repeating: "\0", count: 10_000)])
func t39ANameWithANULIsSavedUnderACleanOne(suggested: String) {
    #expect(!name(suggested).utf8.contains(0) && !name(suggested).isEmpty)
}
