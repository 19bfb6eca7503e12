import FoundationEssentials
import Networking
import SupabaseWire

@testable import Server

/// Ada and Bo in a conversation, Xi outside of it, and what they do with its files.
struct StorageRoom {
    let server: TestServer
    let ada: TestUser
    let bo: TestUser
    let xi: TestUser
    /// `<conversation>/<message>`
    let folder: String
    let conversation: String

    static func run(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (StorageRoom) async throws -> Void
    ) async throws {
        try await TestServer.run(change) { server in try await body(try await StorageRoom(server)) }
    }

    init(_ server: TestServer) async throws {
        self.server = server
        ada = try await server.signUp("ada")
        bo = try await server.signUp("bob")
        xi = try await server.signUp("xii")
        conversation = try await ada.open(with: [bo])
        folder = conversation + "/" + UUIDText.random()
    }

    /// The service role's key.
    var service: String {
        get async { await server.server.serviceKey ?? "" }
    }

    /// One call; `token` is also the key when it is the service role's.
    func call(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, token: String?,
        headers: [(String, String)] = []
    ) async throws -> StorageAnswer {
        var fields = HTTPHeaders()
        if let token {
            fields.add("apikey", server.address.publishableKey)
            fields.add("Authorization", "Bearer \(token)")
        }
        for (name, value) in headers { fields[name] = value }
        let request = HTTPRequest(
            HTTPMethod(rawValue: method), server.address.baseURL + "/storage/v1" + path, headers: fields,
            body: body.map { .bytes(Data($0)) } ?? .none, responseLimit: 64 << 20)
        return StorageAnswer(response: try await server.http.send(request))
    }

    func call(_ method: String, _ path: String, json: JSONValue, token: String) async throws -> StorageAnswer
    {
        try await call(
            method, path, Array(json.jsonText.utf8), token: token,
            headers: [("Content-Type", "application/json")])
    }

    /// Puts a file under the folder.
    @discardableResult
    func upload(
        _ name: String, _ body: [UInt8], type: String = "image/png", by user: TestUser? = nil,
        method: String = "POST", headers: [(String, String)] = []
    ) async throws -> StorageAnswer {
        try await call(
            method, "/object/attachments/\(folder)/\(name)", body, token: (user ?? ada).token,
            headers: [("Content-Type", type)] + headers)
    }

    func download(_ name: String, by user: TestUser? = nil, headers: [(String, String)] = [])
        async throws -> StorageAnswer
    {
        try await call(
            "GET", "/object/attachments/\(folder)/\(name)", token: (user ?? bo).token, headers: headers)
    }
}

/// What the storage answered.
struct StorageAnswer {
    let response: HTTPResponse

    var status: Int { response.status }
    var bytes: [UInt8] { Array(response.body) }
    var headers: HTTPHeaders { response.headers }
    var json: JSONValue { get throws { try WireCoding.decode(from: bytes) } }

    /// The status in the body of a refusal; all its words must be there.
    var fault: String? {
        guard let json = try? json, json["message"]?.string != nil, json["error"]?.string != nil,
            json["code"]?.string != nil
        else { return nil }
        return json["statusCode"]?.string
    }
}
