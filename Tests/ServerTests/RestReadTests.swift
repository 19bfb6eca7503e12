import FoundationEssentials
import Networking
import SQLite
import SupabaseWire
import Testing

@testable import Server

@Suite struct RestReadTests {
    private func bodies(_ user: TestUser, _ query: String) async throws -> [String] {
        let rows = try await user.call("GET", "/rest/v1/messages?select=body&\(query)")
        return try rows.json.array?.compactMap { $0["body"]?.string } ?? []
    }

    /// A conversation with messages "n0"… and Ada, Ben in it.
    private func history(_ server: TestServer, _ count: Int) async throws -> (TestUser, TestUser, String) {
        let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
        let conversation = try await ada.open(with: [ben])
        for number in 0..<count { _ = try await ada.send("n\(number)", to: conversation) }
        return (ada, ben, conversation)
    }

    @Test func pagesByKeyGiveEveryRowOnce() async throws {
        try await TestServer.run { server in
            let (_, ben, _) = try await history(server, 7)
            var seen: [String] = []
            var cursor = ""
            while true {
                let page =
                    try await ben.call(
                        "GET", "/rest/v1/messages?order=created_at.desc,id.desc&limit=3\(cursor)"
                    ).json.array ?? []
                guard let last = page.last else { break }
                seen += page.compactMap { $0["body"]?.string }
                let time = (last["created_at"]?.string ?? "").split(separator: "+")[0] + "%2B00:00"
                let id = last["id"]?.string ?? ""
                cursor = "&or=(created_at.lt.\(time),and(created_at.eq.\(time),id.lt.\(id)))"
            }
            #expect(seen == (0..<7).reversed().map { "n\($0)" })
        }
    }

    /// Older pages by the time of sending, later ones by the time of the last change, as clients ask for them.
    @Test(arguments: [("created_at", "desc", "lt"), ("updated_at", "asc", "gt")])
    func t01PagesOfMessagesOfOneInstantGiveEveryRowOnce(_ column: String, _ order: String, _ beyond: String)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ties-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
        try await TestServer.run({ $0.directory = folder }) { server in
            let (_, ben, _) = try await history(server, 70)
            try SQLConnection(.file(folder + "/server.sqlite")).execute(
                "UPDATE messages SET created_at = 1930390200000000, updated_at = 1930390200000000")
            var seen: [String] = []
            var cursor = ""
            while true {
                let path = "/rest/v1/messages?order=\(column).\(order),id.\(order)&limit=20\(cursor)"
                let page = try await ben.call("GET", path).json.array ?? []
                seen += page.compactMap { $0["id"]?.string }
                guard let time = page.last?[column]?.string, let id = page.last?["id"]?.string else { break }
                let instant = time.split(separator: "+")[0] + "%2B00:00"
                cursor =
                    "&or=(\(column).\(beyond).\(instant),and(\(column).eq.\(instant),id.\(beyond).\(id)))"
            }
            #expect(seen.count == 70)
            #expect(seen == Set(seen).sorted { order == "asc" ? $0 < $1 : $0 > $1 })
        }
    }

    @Test func countsAndRangesAreToldInTheHeader() async throws {
        try await TestServer.run { server in
            let (ada, _, conversation) = try await history(server, 4)
            let path = "/rest/v1/messages?conversation_id=eq.\(conversation)"
            func get(_ rest: String, _ headers: [(String, String)] = [], method: String = "GET") async throws
                -> (Int, String?)
            {
                let answer = try await ada.call(method, path + rest, headers: headers)
                return (answer.status, answer.headers["Content-Range"])
            }
            let count = [("Prefer", "count=exact")]
            #expect(try await get("") == (200, "0-3/*"))
            #expect(try await get("", count) == (200, "0-3/4"))
            #expect(try await get("", count + [("Range", "0-1"), ("Range-Unit", "items")]) == (206, "0-1/4"))
            #expect(try await get("&limit=0", count) == (206, "*/4"))
            #expect(try await get("&body=eq.x", count) == (200, "*/0"))
            #expect(try await get("&offset=9", count) == (416, "*/4"))
            #expect(try await get("&offset=9") == (200, "*/*"))
            #expect(try await get("", count, method: "HEAD") == (200, "0-3/4"))
        }
    }

    @Test(arguments: [
        ("body=in.(n0,n2)", ["n0", "n2"]), ("body=neq.n1", ["n0", "n2", "n3"]), ("body=gt.n1", ["n2", "n3"]),
        ("body=like.n%25", ["n0", "n1", "n2", "n3"]), ("body=ilike.N1", ["n1"]),
        ("body=match.[23]$", ["n2", "n3"]),
        ("not.or=(body.eq.n0,body.eq.n1)", ["n2", "n3"]), ("deleted_at=not.is.null", []), ("body=in.()", []),
        ("body=plfts.n3", ["n3"]), ("edited_at=isdistinct.2026-01-01T00:00:00Z&body=eq.n0", ["n0"]),
        ("body=eq(any).{n0,n3}", ["n0", "n3"]), ("edited_at=eq.2026-01-01T00:00:00Z", []),
    ])
    func everyOperatorFindsWhatItShould(_ query: String, _ found: [String]) async throws {
        try await TestServer.run { server in
            let (ada, _, _) = try await history(server, 4)
            #expect(try await bodies(ada, query + "&order=created_at") == found)
        }
    }

    @Test(arguments: ["a,b", "say \"hi\"", "(par)", "1+1", "100%", "🎉 party", "back\\slash", "a.b:c"])
    func aValueOfAnyCharactersIsFound(_ value: String) async throws {
        try await TestServer.run { server in
            let (ada, _, conversation) = try await history(server, 1)
            _ = try await ada.send(value, to: conversation)
            var quoted = ""
            for character in value {
                if "\"\\".contains(character) { quoted.append("\\") }
                quoted.append(character)
            }
            #expect(try await bodies(ada, "body=eq.\(percent(value))") == [value])
            #expect(try await bodies(ada, "body=in.(\(percent("\"\(quoted)\"")),zz)") == [value])
            #expect(try await bodies(ada, "or=(body.eq.\(percent("\"\(quoted)\"")),body.eq.zz)") == [value])
        }
    }

    private func percent(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func relatedRowsComeInside() async throws {
        try await TestServer.run { server in
            let (ada, ben, conversation) = try await history(server, 2)
            let first = try await ada.call("GET", "/rest/v1/messages?order=created_at&limit=1").json.array?
                .first
            let id = first?["id"] ?? .null
            for symbol in ["a", "b"] {
                _ = try await ben.rpc("set_reaction", ["p_message_id": id, "p_symbol": .string(symbol)])
            }
            let select = "select=body,sender:profiles!messages_sender_id_fkey(username),reactions(symbol)"
            let rows = try await ada.call(
                "GET", "/rest/v1/messages?\(select)&order=created_at&reactions.order=symbol.desc"
            ).json
            #expect(
                rows == [
                    [
                        "body": "n0", "sender": ["username": "ada"],
                        "reactions": [["symbol": "b"], ["symbol": "a"]],
                    ],
                    ["body": "n1", "sender": ["username": "ada"], "reactions": []],
                ])
            let inner = try await ada.call(
                "GET", "/rest/v1/messages?select=body,reactions!inner(symbol)&reactions.symbol=eq.a"
            ).json
            #expect(inner == [["body": "n0", "reactions": [["symbol": "a"]]]])
            let through = try await ada.call(
                "GET",
                "/rest/v1/conversations?select=id,profiles!conversation_members(username)&profiles.order=username"
            ).json
            #expect(
                through == [
                    ["id": .string(conversation), "profiles": [["username": "ada"], ["username": "ben"]]]
                ])
            let ambiguous = try await ada.call("GET", "/rest/v1/conversations?select=*,profiles(*)")
            #expect(ambiguous.status == 300)
            #expect(try ambiguous.json["details"]?.array?.count == 2)
            #expect(try await ada.call("GET", "/rest/v1/messages?select=nosuch(*)").code == "PGRST200")
        }
    }

    @Test func strangersSeeNothing() async throws {
        try await TestServer.run { server in
            let (ada, _, _) = try await history(server, 1)
            _ = try await ada.open(with: [], title: "Notes")
            let xi = try await server.signUp("xi1")
            for table in ["messages", "conversations", "conversation_members", "reactions"] {
                #expect(try await xi.call("GET", "/rest/v1/\(table)").json == [])
            }
            #expect(try await xi.rpc("search_messages", ["p_query": "n0"]).json == [])
            let hidden = try await xi.call(
                "GET", "/rest/v1/profiles?select=messages!messages_sender_id_fkey(body)")
            #expect(try hidden.json.array?.allSatisfy { $0["messages"] == [] } == true)
            #expect(try await server.call("GET", "/rest/v1/profiles").status == 401)
        }
    }

    @Test func shapesFollowTheAcceptHeader() async throws {
        try await TestServer.run { server in
            let (ada, _, _) = try await history(server, 2)
            func get(_ query: String, _ accept: String) async throws -> TestAnswer {
                try await ada.call("GET", "/rest/v1/messages?\(query)", headers: [("Accept", accept)])
            }
            let object = "application/vnd.pgrst.object+json"
            #expect(try await get("select=body&body=eq.n0", object).json == ["body": "n0"])
            let many = try await get("", object)
            #expect(many.status == 406)
            #expect(try many.json["details"] == "The result contains 2 rows")
            let stripped = try await get("select=body,reply_to&body=eq.n0", object + ";nulls=stripped")
            #expect(try stripped.json == ["body": "n0"])
            #expect(try await get("select=body&order=body", "text/csv").text == "body\nn0\nn1")
            #expect(try await get("", "image/png").code == "PGRST107")
        }
    }

    @Test(arguments: [
        ("messages?select=nosuch", "42703", 400), ("messages?nosuch=eq.1", "42703", 400),
        ("messages?id=equals.1", "PGRST100", 400), ("messages?id=eq.nope", "22P02", 400),
        ("messages?created_at=gt.2026-01-01T00:00:00+00:00", "22007", 400), ("nosuch", "PGRST205", 404),
        ("messages?id=like.a", "42883", 404), ("messages?select=body::json", "PGRST100", 400),
        ("rpc/nosuch", "PGRST202", 404), ("rpc/mark_read?p_conversation_id=x", "25006", 405),
        ("a/b", "PGRST125", 404),
        ("messages?body=is.true", "42804", 400), ("rpc/search_profiles", "PGRST202", 404),
    ])
    func whatIsNotKnownIsRefused(_ path: String, _ code: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let answer = try await ada.call("GET", "/rest/v1/\(path)")
            #expect(try answer.code == code)
            #expect(answer.status == status)
            #expect(answer.headers["Proxy-Status"] == "PostgREST; error=\(code)")
        }
    }
}
