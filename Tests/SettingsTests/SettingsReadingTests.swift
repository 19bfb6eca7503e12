import Addresses
import Testing

@testable import Settings

private let vocabulary = SettingsVocabulary(
    themes: ["dark", "light", "contrast"],
    actions: [
        "list": ["open", "next", "previous"],
        "composer": ["send", "newline", "next"],
    ],
    knowsKey: { name in
        name.count == 1 || name.hasPrefix("Ctrl-") || name.hasPrefix("Alt-")
            || ["Enter", "F2"].contains(name)
    })

private func read(_ text: String) throws(SettingsError) -> SettingsReading {
    try SettingsReading(Array(text.utf8), knowing: vocabulary)
}

private func problems(_ text: String) throws -> [String] {
    try read(text).problems.map(\.text)
}

@Test func anEmptyFileMeansDefaults() throws {
    #expect(try read("") == SettingsReading())
    #expect(try read("\n# nothing yet\n") == SettingsReading())
}

@Test func everySettingIsRead() throws {
    let reading = try read(
        """
        theme = "light"
        mouse = true
        esctimeout = 60
        pictures = "ask"
        picture_limit = 20

        [keys]
        next = ["Ctrl-n", "Alt-Down"]

        [keys.list]
        open = "o"

        [[accounts]]
        name = "team"
        url = "https://Chat.Example.org:8443/"
        key = "sb_publishable_1"
        ca_file = "~/team-ca.pem"

        [network]
        ca_file = " /etc/ssl/office.pem "

        [[accounts]]
        name = "box"
        service = "supabase"
        url = "http://10.0.0.7:8400"
        allow_plain_http = true

        [[accounts]]
        name = "phone"
        service = "telegram"
        """)

    #expect(reading.problems == [])
    #expect(reading.settings.theme == "light")
    #expect(reading.settings.usesMouse)
    #expect(reading.settings.escapeTimeout == .milliseconds(60))
    #expect(reading.settings.pictures == .ask && reading.settings.pictureLimit == 20 << 20)
    #expect(
        reading.settings.keys == [
            KeyRebinding(place: nil, action: "next", keys: ["Ctrl-n", "Alt-Down"], line: 8),
            KeyRebinding(place: "list", action: "open", keys: ["o"], line: 11),
        ])
    #expect(reading.settings.caFile == "/etc/ssl/office.pem")
    let team = try ServerAddress("https://chat.example.org:8443")
    let box = try ServerAddress("http://10.0.0.7:8400", allowsPlainHTTP: true)
    #expect(
        reading.settings.accounts == [
            AccountSettings(
                name: "team",
                service: .supabase(
                    address: team, key: "sb_publishable_1", allowsPlainHTTP: false,
                    caFile: "~/team-ca.pem")),
            AccountSettings(
                name: "box", service: .supabase(address: box, key: nil, allowsPlainHTTP: true, caFile: nil)),
            AccountSettings(name: "phone", service: .telegram),
        ])
}

@Test func aMisspeltTableIsNamedWithTheNearestOne() throws {
    #expect(
        try problems("mouse = true\n\n[acounts]\nx = 1") == [
            "line 3: acounts is no setting. Did you mean accounts?"
        ])
}

@Test func aMisspeltSettingInsideAnAccountIsNamedWithItsPathAndLine() throws {
    let text = """
        [[accounts]]
        name = "team"
        url = "https://a.example"
        allow_plain_htp = true
        """
    #expect(
        try problems(text) == [
            "line 4: accounts[1].allow_plain_htp is no setting. Did you mean allow_plain_http?"
        ])
    #expect(try read(text).settings.accounts.count == 1)
}

@Test func theNetworksTableIsReadStrictly() throws {
    #expect(
        try problems("[network]\nca_fil = \"x\"\n") == [
            "line 2: network.ca_fil is no setting. Did you mean ca_file?"
        ])
    #expect(
        try problems("network = 3") == ["line 1: network must be a table, [network], not a number."])
    #expect(
        try problems("[network]\nca_file = [1]") == [
            "line 2: network.ca_file must be a text in quotes, not a list."
        ])
}

@Test func aNameNothingLikeAnyOtherGetsNoSuggestion() throws {
    #expect(try problems("wallpaper = \"cats\"") == ["line 1: wallpaper is no setting."])
}

@Test func strayWhiteSpaceAroundAPastedValueIsDropped() throws {
    let reading = try read(
        """
        [[accounts]]
        name = " team "
        url = "  https://a.example/  "
        key = \"\"\"
        abc
        \"\"\"
        """)
    let address = try ServerAddress("https://a.example")
    #expect(reading.problems == [])
    #expect(
        reading.settings.accounts == [
            AccountSettings(
                name: "team",
                service: .supabase(address: address, key: "abc", allowsPlainHTTP: false, caFile: nil))
        ])
}

@Test(arguments: [
    ("ftp://a.example", "must begin with https://, not with another kind of address."),
    ("https://", "cannot be read as an address like https://chat.example.org."),
    ("https://a.example?x=1", "must end before its ? or #."),
    ("https://me:hush@a.example", "must not hold a user name or a password."),
    (
        "https://supabase.com/dashboard/project/abcdefghijklmnopqrst",
        "is a page of Supabase's dashboard. Give https://abcdefghijklmnopqrst.supabase.co."
    ),
    ("sb_publishable_1", "is a key. Give the server's address, like https://chat.example.org."),
    (
        "http://a.example",
        "is not encrypted and goes to another machine. Use https://, or set allow_plain_http = true."
    ),
])
func anAddressThatIsNoneSaysWhyAndLeavesTheAccountOut(typed: String, words: String) throws {
    let reading = try read("[[accounts]]\nname = \"a\"\nurl = \"\(typed)\"")
    #expect(reading.problems.map(\.text) == ["line 3: accounts[1].url \(words)"])
    #expect(reading.settings.accounts == [])
}

@Test func noValueIsEverRepeated() throws {
    let secret = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2lnbmF0dXJl"
    let texts = try problems(
        """
        theme = "hunter2"
        esctimeout = "hunter2"
        [[accounts]]
        name = "a"
        url = "hunter2://a"
        key = "\(secret)"
        [[accounts]]
        name = "b"
        key = "sb_secret_hunter2"
        kye = "hunter2"
        """)
    #expect(texts.count == 7)
    #expect(!texts.joined().contains("hunter2"))
    #expect(!texts.joined().contains(secret))
}

@Test func aKeyForServersIsRefused() throws {
    let reading = try read("[[accounts]]\nname = \"b\"\nurl = \"https://a.example\"\nkey = \"sb_secret_x\"")
    #expect(reading.problems.map(\.reason) == [.serviceKey])
    #expect(reading.settings.accounts == [])
}

@Test func twoAccountsOfOneNameAreNotBothKept() throws {
    let account = "[[accounts]]\nname = \"a\"\nservice = \"telegram\"\n"
    let reading = try read(account + account)
    #expect(reading.settings.accounts.count == 1)
    #expect(reading.problems.map(\.text) == ["line 5: accounts[2].name is the name of an account above."])
}

@Test func valuesOfTheWrongKindOrSizeKeepTheDefault() throws {
    let reading = try read("theme = 3\nmouse = \"yes\"\nesctimeout = 90000\nkeys = 4\naccounts = [1]")
    #expect(reading.settings == Settings())
    #expect(
        reading.problems.map(\.text) == [
            "line 1: theme must be a text in quotes, not a number.",
            "line 2: mouse must be true or false, not a text.",
            "line 3: esctimeout must be between 1 and 2000.",
            "line 4: keys must be a table, [keys], not a number.",
            "line 5: accounts[1] must be a table, not a number.",
        ])
}

@Test func aThemeNobodyKnowsIsAnsweredWithTheKnownOnes() throws {
    #expect(
        try problems("theme = \"ligt\"") == [
            "line 1: theme must be one of dark, light, contrast. Did you mean light?"
        ])
}

@Test func aSyntaxErrorNamesItsLineAndYieldsNothing() {
    let text = "theme = \"dark\"\n\n\n\n\n\n\n\nmouse = = true\n"
    #expect(throws: SettingsError.malformed(line: 9, column: 9)) { try read(text) }
    #expect(SettingsError.malformed(line: 9, column: 9).what == "config.toml cannot be read from line 9 on.")
}

@Test func aSettingThatIsThereTwiceNamesTheSecondLine() {
    #expect(throws: SettingsError.duplicate(line: 2)) { try read("mouse = true\nmouse = false") }
}

@Test func textThatIsNotUTF8IsNamedAsSuch() {
    #expect(throws: SettingsError.encoding(line: 2)) {
        try SettingsReading(Array("mouse = true\ntheme = \"".utf8) + [0xFF, 0x22], knowing: vocabulary)
    }
}

/// The library that reads the file takes for granted that no file has these.
@Test(arguments: ["[[[", "[[[a]]]", "[=]", "[[\u{1}", "[ [a]"]) func whatNoFileShouldHaveEndsNothing(
    _ line: String
) {
    #expect(throws: SettingsError.self) { try read(line) }
    let error = #expect(throws: SettingsError.self) {
        try read("theme = \"dark\"\n\n\(line)\nmouse = true\n")
    }
    guard case .malformed(let line, _) = error, line == 3 else {
        Issue.record("\(String(describing: error))")
        return
    }
}
