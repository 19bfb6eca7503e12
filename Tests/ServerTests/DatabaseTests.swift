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

    /// Writes all at once, so that many share a commit; what each came to, by number.
    private func writeAtOnce(
        _ count: Int, to database: Database,
        _ write: @escaping @Sendable (Int, Session) throws(Refusal) -> Void
    ) async -> [Int: Refusal?] {
        await withTaskGroup { group in
            for number in 0..<count {
                group.addTask { () -> (Int, Refusal?) in
                    do throws(Refusal) {
                        try await database.write { session throws(Refusal) in try write(number, session) }
                        return (number, nil)
                    } catch {
                        return (number, error)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func insert(_ number: Int, _ session: Session) throws(Refusal) {
        _ = try session.execute("INSERT INTO settings (name, value) VALUES (?, '')", ["n\(number)"])
    }

    @Test func aRefusedWriteTakesNothingOfTheOthersWithIt() async throws {
        try await withDatabase { database in
            let refusal = Refusal(400, "22023", "no")
            let ends = await writeAtOnce(60, to: database) { number, session throws(Refusal) in
                try Self.insert(number, session)
                if number % 7 == 0 { throw refusal }
            }
            for number in 0..<60 { #expect(ends[number] == (number % 7 == 0 ? refusal : .some(nil))) }
            let expected = Set((0..<60).filter { $0 % 7 != 0 }.map { "n\($0)" })
            #expect(try await names(database) == expected)
        }
    }

    /// A full disk, or a time limit within a write, makes SQLite undo the whole transaction.
    @Test func whatAFailedWriteTookOfTheOthersIsWrittenAgain() async throws {
        try await withDatabase { database in
            let ends = await writeAtOnce(60, to: database) { number, session throws(Refusal) in
                try Self.insert(number, session)
                guard number % 20 == 19 else { return }
                _ = try session.execute("ROLLBACK")
                throw Refusal(.full)
            }
            for number in 0..<60 {
                #expect((ends[number] ?? nil)?.code == (number % 20 == 19 ? "53100" : nil))
            }
            let expected = Set((0..<60).filter { $0 % 20 != 19 }.map { "n\($0)" })
            #expect(try await names(database) == expected)
        }
    }

    @Test func afterAFailureTheNextWriteWorks() async throws {
        try await withDatabase { database in
            await #expect(throws: Refusal.self) {
                try await database.write { session throws(Refusal) in
                    _ = try session.execute("ROLLBACK")
                    throw Refusal(.full)
                }
            }
            try await database.write { session throws(Refusal) in try Self.insert(1, session) }
            #expect(try await names(database).contains("n1"))
        }
    }

    @Test func whatWaitsWhenItClosesIsWrittenOrRefused() async throws {
        let database = Database(configuration: ServerConfiguration())
        try await database.open(.memory)
        async let writing = writeAtOnce(20, to: database) { number, session throws(Refusal) in
            try Self.insert(number, session)
        }
        await database.close()
        for end in await writing.values { #expect(end == nil || end?.code == "PGRST000") }
    }
}
