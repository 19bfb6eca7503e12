import FoundationEssentials
import Networking
import SupabaseWire

@testable import Server

/// A server in memory on a free port, with what a test says to it.
struct TestServer {
    let server: ChatServer
    let address: ServingAddress
    let http = HTTPClient()

    /// Starts a server, runs the test, and stops the server whatever comes of it.
    static func run(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.passwordCost = .least
        change(&configuration)
        let server = ChatServer(configuration)
        let address = try await server.start()
        let test = TestServer(server: server, address: address)
        do {
            try await body(test)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Signs a new user up; the address and the names are made from `name`.
    func signUp(_ name: String) async throws -> TestUser {
        let body: JSONValue = [
            "email": .string("\(name)@example.test"), "password": "correct horse",
            "data": ["username": .string(name), "display_name": .string(name.capitalized)],
        ]
        let answer = try await call("POST", "/auth/v1/signup", body)
        return try TestUser(server: self, session: answer.json)
    }

    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        var fields = HTTPHeaders([HTTPHeaders.Field("apikey", address.publishableKey)])
        fields.add("Authorization", "Bearer \(token ?? address.publishableKey)")
        fields.add("Content-Type", "application/json")
        for (name, value) in headers { fields[name] = value }
        let bytes = try body.map { HTTPRequest.Body.bytes(try WireCoding.encode($0)) } ?? .none
        let request = HTTPRequest(
            HTTPMethod(rawValue: method), address.baseURL + path, headers: fields, body: bytes)
        return TestAnswer(try await http.send(request))
    }
}

/// What a server answered.
struct TestAnswer {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
    }

    var json: JSONValue {
        get throws { try WireCoding.decode(from: text) }
    }

    /// The code of a refusal.
    var code: String? {
        get throws { try json["code"]?.string }
    }
}

/// Somebody who is signed in.
struct TestUser {
    let server: TestServer
    let id: String
    let token: String
    let refreshToken: String

    init(server: TestServer, session: JSONValue) throws {
        struct Incomplete: Error {}
        guard let id = session["user"]?["id"]?.string, let token = session["access_token"]?.string,
            let refreshToken = session["refresh_token"]?.string
        else { throw Incomplete() }
        self.server = server
        self.id = id
        self.token = token
        self.refreshToken = refreshToken
    }

    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await server.call(method, path, body, token: token, headers: headers)
    }

    func rpc(_ name: String, _ arguments: JSONValue = [:]) async throws -> TestAnswer {
        try await call("POST", "/rest/v1/rpc/\(name)", arguments)
    }

    /// Opens a conversation and answers its id.
    func open(with others: [TestUser], title: String? = nil) async throws -> String {
        var arguments: [String: JSONValue] = ["p_member_ids": .array(others.map { .string($0.id) })]
        if let title {
            arguments["p_title"] = .string(title)
            arguments["p_is_group"] = true
        }
        return try await rpc("create_conversation", .object(arguments)).json["id"]?.string ?? ""
    }

    /// Sends a message the way clients do and answers its row.
    func send(_ body: String, to conversation: String, id: String = UUIDText.random()) async throws
        -> JSONValue
    {
        let message: JSONValue = [
            "id": .string(id), "conversation_id": .string(conversation), "body": .string(body),
        ]
        return try await insert(message).json.array?.first ?? .null
    }

    func insert(_ message: JSONValue, prefer: String = "return=representation,resolution=ignore-duplicates")
        async throws -> TestAnswer
    {
        try await call(
            "POST", "/rest/v1/messages?on_conflict=id", message, headers: [("Prefer", prefer)])
    }
}
