import SQLite
import SupabaseWire
import Testing

@testable import Server

@Suite struct RestLimitTests {
    @Test func anAnswerIsCutAtTheServersOwnLimit() async throws {
        try await TestServer.run({ $0.limits.rowsPerAnswer = 2 }) { server in
            let ada = try await server.signUp("ada")
            let notes = try await ada.open(with: [], title: "Notes")
            for number in 0..<3 { _ = try await ada.send("n\(number)", to: notes) }
            let rows = try await ada.call("GET", "/rest/v1/messages?limit=100").json
            #expect(rows.array?.count == 2)
        }
    }

    @Test func aCallThatTakesTooLongIsGivenUp() async throws {
        let database = Database(configuration: ServerConfiguration())
        try await database.open(.memory)
        let refusal = await #expect(throws: Refusal.self) {
            try await database.read { session throws(Refusal) in
                session.connection.limitTime(to: .zero)
                _ = try session.execute(
                    "WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
            }
        }
        #expect(refusal?.code == "57014")
        await database.close()
    }

    @Test func tooManyConditionsAreRefused() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let many = (0..<501).map { "body.eq.\($0)" }.joined(separator: ",")
            #expect(try await ada.call("GET", "/rest/v1/messages?or=(\(many))").code == "PGRST100")
            let enough = (0..<499).map { "body.eq.\($0)" }.joined(separator: ",")
            #expect(try await ada.call("GET", "/rest/v1/messages?or=(\(enough))").status == 200)
            let long = String(repeating: "a", count: 1_001)
            #expect(try await ada.call("GET", "/rest/v1/messages?body=like.\(long)").code == "PGRST100")
        }
    }

    @Test func theKeyInTheQueryIsNoFilter() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let path = "/rest/v1/messages?apikey=\(server.address.publishableKey)"
            #expect(try await ada.call("GET", path, headers: [("apikey", "")]).status == 401)
            #expect(try await ada.call("GET", path).json == [])
        }
    }

    @Test func aRefusedAnswerUndoesTheWrite() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let notes = try await ada.open(with: [], title: "Notes")
            let two: JSONValue = [
                ["conversation_id": .string(notes), "body": "one"],
                ["conversation_id": .string(notes), "body": "two"],
            ]
            let answer = try await ada.call(
                "POST", "/rest/v1/messages", two,
                headers: [
                    ("Prefer", "return=representation"), ("Accept", "application/vnd.pgrst.object+json"),
                ])
            #expect(answer.status == 406)
            #expect(await server.server.health().rows["messages"] == 0)
        }
    }

    @Test func bulkRowsShareTheirColumns() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let notes = JSONValue.string(try await ada.open(with: [], title: "Notes"))
            let uneven: JSONValue = [
                ["conversation_id": notes, "body": "one"],
                ["id": .string(UUIDText.random()), "conversation_id": notes],
            ]
            func post(_ query: String, _ prefer: String) async throws -> TestAnswer {
                try await ada.call("POST", "/rest/v1/messages\(query)", uneven, headers: [("Prefer", prefer)])
            }
            #expect(try await post("", "return=minimal").code == "PGRST102")
            let columns = "?columns=\"conversation_id\",\"body\""
            #expect(try await post(columns, "return=minimal").code == "23502")
            #expect(try await post(columns, "missing=default").code == "23514")
            #expect(try await post("", "handling=strict, nonsense=1").code == "PGRST122")
        }
    }
}
