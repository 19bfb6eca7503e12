import Testing

@testable import Settings

private let vocabulary = SettingsVocabulary(
    themes: [],
    actions: ["list": ["open", "next"], "thread": ["open", "reply"], "composer": ["send", "newline"]],
    knowsKey: { $0.count == 1 || $0.lowercased().hasPrefix("ctrl-") || $0.lowercased().hasPrefix("alt-") })

private func read(_ text: String) throws -> SettingsReading {
    try SettingsReading(Array(text.utf8), knowing: vocabulary)
}

@Test func theSameKeyInTwoPlacesIsNoConflict() throws {
    let reading = try read("[keys.list]\nopen = \"l\"\n[keys.thread]\nreply = \"l\"")
    #expect(reading.problems == [])
    #expect(reading.settings.keys.map(\.keys) == [["l"], ["l"]])
}

@Test func theSameKeyForTwoActionsInOnePlaceIsReportedAndTheFirstKeepsIt() throws {
    let reading = try read("[keys.list]\nopen = \"Ctrl-G\"\nnext = [\"ctrl-g\", \"n\"]")
    #expect(
        reading.problems.map(\.text) == ["line 3: keys.list.next has a key that open has already (line 2)."])
    #expect(reading.settings.keys.map(\.keys) == [["Ctrl-G"], ["n"]])
}

@Test func upperAndLowerCaseLettersAreTwoKeys() throws {
    let reading = try read("[keys.list]\nopen = [\"g\", \"Alt-a\"]\nnext = [\"G\", \"Alt-A\"]")
    #expect(reading.problems == [])
}

@Test func aLetterWhereOneWritesIsRefused() throws {
    let reading = try read("[keys.composer]\nsend = \"s\"")
    #expect(reading.problems.map(\.reason) == [.typesText])
    #expect(reading.settings.keys == [])
}

@Test func aKeyThatTerminalsDoNotSendIsNamedAndInForce() throws {
    let picky = SettingsVocabulary(
        themes: [], actions: ["list": ["open"]], knowsKey: { _ in true }, isSent: { $0 != "Ctrl-Enter" })
    let reading = try SettingsReading(
        Array("[keys.list]\nopen = [\"Ctrl-Enter\", \"o\"]".utf8), knowing: picky)
    #expect(
        reading.problems.map(\.text) == [
            "line 2: keys.list.open has a key that most terminals do not send."
        ])
    #expect(reading.settings.keys.map(\.keys) == [["Ctrl-Enter", "o"]])
}

@Test(arguments: [("Ctrl-m", "Enter"), ("ctrl-i", "Tab"), ("Ctrl-H", "Backspace"), ("Ctrl-[", "Esc")])
func aKeyThatTerminalsConfuseIsNamedAndInForce(key: String, other: String) throws {
    let reading = try read("[keys.thread]\nreply = \"\(key)\"")
    #expect(reading.problems.map(\.reason) == [.sameByte(as: other)])
    #expect(reading.settings.keys.map(\.keys) == [[key]])
}

@Test func unknownPlacesActionsAndKeysAreNamed() throws {
    let reading = try read("[keys.lst]\nopen = \"o\"\n[keys.list]\nopne = \"o\"\nnext = \"Hyper-x\"")
    #expect(
        reading.problems.map(\.text) == [
            "line 1: keys.lst is no setting. Did you mean list?",
            "line 4: keys.list.opne is no setting. Did you mean open?",
            "line 5: keys.list.next names a key that Pingline does not know: Hyper-x.",
        ])
}

@Test func anEmptyListTakesAllKeysFromAnAction() throws {
    #expect(
        try read("[keys.list]\nopen = []").settings.keys == [
            KeyRebinding(place: "list", action: "open", keys: [], line: 2)
        ])
}

@Test func aQuotedNameOfAnythingIsShownWithoutControlCharacters() throws {
    let reading = try read("[keys]\n\"\\u001b[31mred\" = \"x\"")
    #expect(reading.problems.map(\.text) == ["line 2: keys.?[31mred is no setting."])
}
