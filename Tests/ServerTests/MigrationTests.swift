import FoundationEssentials
import SQLite
import Testing

@testable import Server

/// What a newer server does with the data of an older one.
@Suite struct MigrationTests {
    /// A database as the first version made it, with what the statements put into it.
    private func firstVersion(_ path: String, _ statements: String) throws {
        let connection = try SQLConnection(.file(path))
        try connection.execute(Schema.steps[0])
        try connection.execute(statements)
        try connection.execute("PRAGMA user_version = 1")
    }

    private static let twoPeople = """
        INSERT INTO users VALUES ('a', 'a@example.test', '', '{}', '', 0, NULL, 0, 0),
            ('b', 'b@example.test', '', '{}', '', 0, NULL, 0, 0);
        INSERT INTO profiles VALUES ('a', 'ana', 'Ana', '', NULL, 0, 0), ('b', 'ben', 'Ben', '', NULL, 0, 0);
        INSERT INTO conversations VALUES ('c', 'Trip', 1, NULL, NULL, 'a', NULL, 0, 0);
        INSERT INTO conversation_members VALUES ('c', 'a', 'owner', 0, NULL, 7, 7, 30, 10, NULL),
            ('c', 'b', 'member', 0, NULL, NULL, NULL, NULL, NULL, NULL);
        """

    @Test func flagsOfTheFirstVersionAreKeptApartFromTheMembership() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/pingline-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // the system empties it anyway
        try firstVersion(folder + "/server.sqlite", Self.twoPeople)

        let database = Database(configuration: ServerConfiguration())
        #expect(try await database.open(.file(folder + "/server.sqlite")))

        let (flags, members) = try await database.read { session throws(Refusal) in
            (
                try session.rows(.conversationFlags, "", []),
                try session.rows(.conversationMembers, "ORDER BY user_id", [])
            )
        }
        #expect(flags.map(\.values) == [[.text("c"), .text("a"), .integer(30), .integer(10), .null]])
        #expect(members.map { $0.text("user_id") } == ["a", "b"])
        #expect(members.first?.instant("last_read_at") == 7)
        await database.close()
    }
}
