import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct SearchTests {
    private let room = UUID.example(100)

    private func store(_ bodies: [String]) async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        let rows = bodies.enumerated().map { Message.stored($1, in: room, at: Int64($0 + 1)) }
        try await store.merge(IncomingRows(messages: rows))
        return store
    }

    @Test(
        arguments: [
            ("cafe", ["Un café noir"]), ("CAFÉ noi", ["Un café noir"]), ("noir cafe", ["Un café noir"]),
            ("日本", ["私は日本語を話します"]), ("語を", ["私は日本語を話します"]), ("本日", []),
            ("สวัสดี", ["สวัสดีครับ"]), ("👍", ["ok 👍🏽 then"]), ("🎉", []), ("the", ["ok 👍🏽 then"]), ("the ", []),
            ("\"quo", ["a \"quoted\" word"]), ("NEAR(", []), ("word*", ["a \"quoted\" word"]), ("-", []),
            ("a AND", []), ("", []), ("   ", []), ("no\u{0}ir", ["Un café noir"]),
        ] as [(String, [String])])
    func finds(_ query: String, _ expected: [String]) async throws {
        let store = try await store([
            "Un café noir", "私は日本語を話します", "สวัสดีครับ", "ok 👍🏽 then", "a \"quoted\" word",
        ])
        #expect(try await store.search(query).map(\.body) == expected)
    }

    @Test func theNewestComeFirstAlsoWhenHistoryCameLater() async throws {
        let store = try await store([])
        try await store.merge(IncomingRows(messages: [.stored("lunch new", in: room, at: 900)]))
        try await store.merge(IncomingRows(messages: [.stored("lunch old", in: room, at: 100)]))
        try await store.merge(
            IncomingRows(messages: [.stored("lunch elsewhere", in: .example(101), at: 500)]))
        #expect(try await store.search("lunch").map(\.body) == ["lunch new", "lunch elsewhere", "lunch old"])
        #expect(try await store.search("lunch", limit: 1).map(\.body) == ["lunch new"])
        #expect(try await store.search("lunch", in: room).map(\.body) == ["lunch new", "lunch old"])
    }

    @Test func anEditedTextIsFoundByItsNewWordsOnly() async throws {
        let store = try await store([])
        var message = Message.stored("before", in: room, at: 1)
        try await store.merge(IncomingRows(messages: [message]))
        message.body = "after"
        message.version = 2
        try await store.merge(IncomingRows(messages: [message]))
        #expect(try await store.search("before").isEmpty)
        #expect(try await store.search("after").count == 1)
    }

    /// T39: strings with a NUL were cut, or broke the statement they were in.
    @Test func t39TextBehindANULIsKeptAndFound() async throws {
        let body = "left\u{0}right"
        let store = try await store([body, String(repeating: "\u{0}", count: 10_000)])
        #expect(try await store.search("right").map(\.body) == [body])
        #expect(try await store.search("left").map(\.body) == [body])
    }
}
