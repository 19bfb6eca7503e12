import FoundationEssentials
import Networking
import SupabaseWire
import Testing
import WireFixtures

@testable import Server

/// A server with the people of the fixtures. What a client names keeps its name here: the conversation and the
/// messages have the ids of the fixtures; those that the server made stand in for theirs.
struct FixtureRoom {
    enum Person: Sendable { case ada, bo, cy, xi, nobody, service }

    static let conversation = "6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10"
    static let pair = "b9d1f3a5-7c9e-4b1d-8f3a-5c7e9b1d3f79"
    static let message = "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10"
    static let second = "9c3e5f12-7b84-4d06-a1f9-3e5c7d9b1a24"
    static let third = "e5a7c9d1-3b5f-4e7a-8c9e-1f3b5d7a9c46"
    static let ada = "3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11"
    static let bo = "7b2e4c90-1d3f-4a58-8e21-5c9a0f6d7b32"
    static let cy = "c41d8a76-0b9e-4f13-9a57-2e8f6b1c3d54"

    let server: TestServer
    let ada: TestUser
    let bo: TestUser
    let cy: TestUser
    let xi: TestUser
    let service: String

    static func run(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (FixtureRoom) async throws -> Void
    ) async throws {
        try await TestServer.run(change) { server in try await body(try await FixtureRoom(server)) }
    }

    init(_ server: TestServer) async throws {
        self.server = server
        ada = try await server.signUp("ada")
        bo = try await server.signUp("bob")
        cy = try await server.signUp("cyd")
        xi = try await server.signUp("xii")
        service = await server.server.serviceKey ?? ""
    }

    /// The conversation of the fixtures, with Ada and Bo in it.
    func openConversation() async throws {
        let request = try WireFixture.named("rest/create-conversation.request")
        let answer = try await call("POST", "/rest/v1/rpc/create_conversation", bytes(of: request))
        try #require(answer.status == 200)
    }

    /// A text of the fixtures with the ids that this server gave.
    func here(_ text: String) -> String {
        text.replacing(Self.ada, with: ada.id).replacing(Self.bo, with: bo.id).replacing(Self.cy, with: cy.id)
    }

    func bytes(of fixture: WireFixture, replacing words: [String: String] = [:]) -> [UInt8] {
        Array(words.reduce(here(fixture.text)) { $0.replacing($1.key, with: $1.value) }.utf8)
    }

    func token(_ person: Person) -> String {
        switch person {
        case .ada: ada.token
        case .bo: bo.token
        case .cy: cy.token
        case .xi: xi.token
        case .nobody: server.address.publishableKey
        case .service: service
        }
    }

    func call(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, by person: Person = .ada,
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        var fields = HTTPHeaders([HTTPHeaders.Field("apikey", server.address.publishableKey)])
        fields.add("Authorization", "Bearer \(token(person))")
        if body != nil { fields.add("Content-Type", "application/json") }
        for (name, value) in headers { fields[name] = value }
        let request = HTTPRequest(
            HTTPMethod(rawValue: method), server.address.baseURL + here(path), headers: fields,
            body: body.map { .bytes(Data($0)) } ?? .none)
        return TestAnswer(try await server.http.send(request))
    }
}

/// One call of a door: it takes a shape of the client's, or answers one of the server's, or both.
struct FixtureStep: Sendable {
    enum Body: Sendable {
        case none
        case json(JSONValue)
        case raw(String)
    }

    /// The fixture that is the body.
    var takes: String?
    /// The fixture that the answer is like.
    var sends: String?
    var method: String
    var path: String
    var by = FixtureRoom.Person.ada
    var body = Body.none
    var headers: [(String, String)] = []
    var status = 200
    /// What stands in the fixture for something that only the server can know.
    var words: @Sendable (FixtureRoom) -> [String: String] = { _ in [:] }
    /// Members of the answer that only this server has.
    var own: Set<String> = []

    static func post(
        _ takes: String, _ path: String, like sends: String? = nil, by person: FixtureRoom.Person = .ada,
        prefer: String? = nil, status: Int = 200
    ) -> FixtureStep {
        var step = FixtureStep(
            takes: takes, sends: sends, method: "POST", path: path, by: person, status: status)
        if let prefer { step.headers.append(("Prefer", prefer)) }
        return step
    }

    static func rpc(_ takes: String, _ function: String, like sends: String? = nil, status: Int = 200)
        -> FixtureStep
    {
        .post(takes, "/rest/v1/rpc/" + function, like: sends, status: status)
    }

    static func get(_ sends: String, _ path: String, by person: FixtureRoom.Person = .ada, status: Int = 200)
        -> FixtureStep
    {
        FixtureStep(sends: sends, method: "GET", path: path, by: person, status: status)
    }

    func with(_ change: (inout FixtureStep) -> Void) -> FixtureStep {
        var step = self
        change(&step)
        return step
    }

    /// Makes the call and compares.
    func run(in room: FixtureRoom) async throws {
        let words = words(room)
        var bytes: [UInt8]?
        switch body {
        case .none: bytes = try takes.map { room.bytes(of: try WireFixture.named($0), replacing: words) }
        case .json(let value): bytes = Array(room.here(value.jsonText).utf8)
        case .raw(let text): bytes = Array(text.utf8)
        }
        let answer = try await room.call(method, path, bytes, by: by, headers: headers)
        let place = Comment(rawValue: "\(takes ?? "") \(sends ?? "") \(method) \(path)")
        #expect(answer.status == status, place)
        guard let sends else { return }
        let (json, expected) = (try answer.json, try WireFixture.named(sends).json)
        #expect(JSONShape.differences(json.without(own), from: expected) == [], place)
        guard sends.contains("error") else { return }
        for key in ["code", "error_code", "statusCode", "error"] {
            #expect(json[key] == expected[key], place)
        }
    }
}
