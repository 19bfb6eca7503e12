import SQLite
import Synchronization
import Testing

@testable import Server

@Suite struct DatabaseTests {
    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        let database = Database(configuration: ServerConfiguration())
        try await database.open(.memory)
        try await body(database)
        await database.close()
    }

    private func names(_ database: Database) async throws -> Set<String> {
        let names = try await database.read { session throws(Refusal) in
            try session.query("SELECT name FROM settings") { row throws(SQLiteError) in
                try row.get(0, as: String.self)
            }
        }
        return Set(names)
    }

    /// Writes all at once, so that many share a commit.
    /// - Returns: The numbers of those that were refused, and how.
    private func writeAtOnce(
        _ count: Int, to database: Database,
        _ write: @escaping @Sendable (Int, Session) throws(Refusal) -> Void
    ) async -> [Int: Refusal] {
        await withTaskGroup(of: (Int, Refusal?).self) { group in
            for number in 0..<count {
                group.addTask {
                    do throws(Refusal) {
                        try await database.write { session throws(Refusal) in try write(number, session) }
                        return (number, nil)
                    } catch {
                        return (number, error)
                    }
                }
            }
            var refused: [Int: Refusal] = [:]
            for await (number, refusal) in group { refused[number] = refusal }
            return refused
        }
    }

    private static func insert(_ number: Int, _ session: Session) throws(Refusal) {
        _ = try session.execute("INSERT INTO settings (name, value) VALUES (?, '')", ["n\(number)"])
    }

    /// What SQLite does by itself when the disk is full.
    private static func undoEverything(_ session: Session) throws(Refusal) {
        _ = try session.execute("ROLLBACK")
        throw Refusal(.full)
    }

    @Test func aRefusedWriteTakesNothingOfTheOthersWithIt() async throws {
        try await withDatabase { database in
            let refusal = Refusal(400, "22023", "no")
            let refused = await writeAtOnce(60, to: database) { number, session throws(Refusal) in
                try Self.insert(number, session)
                if number % 20 == 0 { throw refusal }
            }
            #expect(refused == [0: refusal, 20: refusal, 40: refusal])
            let written = try await names(database)
            #expect(written == Set((0..<60).filter { $0 % 20 != 0 }.map { "n\($0)" }))
        }
    }

    /// A full disk, or a time limit within a write, makes SQLite undo the whole transaction.
    @Test func whatAFailedWriteTookOfTheOthersIsWrittenAgain() async throws {
        try await withDatabase { database in
            let refused = await writeAtOnce(60, to: database) { number, session throws(Refusal) in
                try Self.insert(number, session)
                if number % 20 == 19 { try Self.undoEverything(session) }
            }
            #expect(refused.mapValues(\.code) == [19: "53100", 39: "53100", 59: "53100"])
            let written = try await names(database)
            #expect(written == Set((0..<60).filter { $0 % 20 != 19 }.map { "n\($0)" }))
        }
    }

    @Test func afterAFailureTheNextWriteWorks() async throws {
        try await withDatabase { database in
            let refused = await writeAtOnce(1, to: database) { _, session throws(Refusal) in
                try Self.undoEverything(session)
            }
            #expect(refused.count == 1)
            try await database.write { session throws(Refusal) in try Self.insert(1, session) }
            let written = try await names(database)
            #expect(written == ["n1"])
        }
    }

    @Test func whatWaitsWhenItClosesIsWrittenOrRefused() async throws {
        let database = Database(configuration: ServerConfiguration())
        try await database.open(.memory)
        async let writing = writeAtOnce(20, to: database) { number, session throws(Refusal) in
            try Self.insert(number, session)
        }
        await database.close()
        let refused = await writing
        #expect(refused.values.allSatisfy { $0.code == "PGRST000" })
    }
}
