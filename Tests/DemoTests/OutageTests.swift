import Testing

@testable import Demo

@Test func anOutageIsReadFromSeconds() throws {
    let outage = try Outage("8@20")
    #expect(outage.length == .seconds(8))
    #expect(outage.period == .seconds(20))
    #expect(outage.pause == .seconds(12))
}

@Test(arguments: [
    ("", OutageError.unreadable), ("8", .unreadable), ("@", .unreadable), ("8@", .unreadable),
    ("8@20@3", .unreadable),
    ("8s@20", .unreadable), ("-8@20", .unreadable), ("+8@20", .unreadable), (" 8@20", .unreadable),
    ("99999999999999999999@3", .unreadable), ("٨@20", .unreadable), ("0@20", .noLength), ("20@20", .noPause),
    ("21@20", .noPause), ("8@3601", .tooLong),
])
func whatIsNoOutageSaysWhy(text: String, error: OutageError) {
    #expect(throws: error) { try Outage(text) }
}

@Test func theWordsShowHowToWriteOne() {
    #expect(OutageError.unreadable.next == "Give seconds, like 8@20: cut for 8 seconds, every 20 seconds.")
}
