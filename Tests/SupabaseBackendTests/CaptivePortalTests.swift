import Backend
import FoundationEssentials
import Models
import Networking
import Testing

@testable import SupabaseBackend

/// A network that wants a sign-in of its own answers in the server's place. That is no data, no refusal and no
/// sign-out, whatever was asked.
@Suite struct CaptivePortalTests {
    private static let room = CoreDriver.room
    private static let id = UUID()

    static let pages: [HTTPResponse] = [
        .html(200), .html(302, ["Location": "http://login.example"]), .html(307), .html(401), .html(403),
        .html(404), .html(407), .html(511), .json(511, "{}"),
        HTTPResponse(status: 200, headers: ["Content-Type": "text/html"]),
        HTTPResponse(status: 302, headers: ["Location": "http://login.example"]),
        plain(200), plain(401), plain(403), plain(404),
    ]

    private static func plain(_ status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "text/plain"], body: Data("Please sign in".utf8))
    }

    static let operations: [OutgoingOperation] = [
        .send(OutgoingMessage(id: id, conversationID: room, body: "hi")),
        .edit(messageID: id, conversationID: room, body: "better"),
        .delete(messageID: id, conversationID: room),
        .react(messageID: id, conversationID: room, symbol: "👍", isOn: true),
        .markRead(conversationID: room, messageID: id), .markDelivered(conversationID: room, messageID: id),
        .removeFiles(messageID: id, conversationID: room),
    ]

    @Test(arguments: operations, pages)
    func anOperationWaitsAndTheSessionStays(_ operation: OutgoingOperation, _ page: HTTPResponse) async throws
    {
        let world = try SessionWorld()
        try await world.keep(1)
        for _ in 0..<4 { world.http.then(page) }
        let session = world.session()
        let writing = Writing(reading: world.rest(session), files: world.files())

        let outcome = await writing.perform(operation)

        #expect(outcome == .wait(after: nil, because: .offline))
        // Nothing was asked a second time, and no token was spent.
        #expect(world.http.requests.count == 1)
        #expect(try await session.accessToken().isEmpty == false)
    }

    /// An answer without a body and without a type, to calls that have nothing to say.
    @Test(
        arguments: operations.filter { operation in
            switch operation {
            case .react, .markRead, .markDelivered: true
            case .send, .edit, .delete, .removeFiles: false
            }
        })
    func anEmptyAnswerIsNotTakenForDone(_ operation: OutgoingOperation) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(HTTPResponse(status: 200, headers: [:]))
        let writing = Writing(reading: world.rest(world.session()), files: world.files())
        #expect(await writing.perform(operation) == .wait(after: nil, because: .offline))
    }

    @Test(arguments: pages)
    func aQuestionIsNotAnswered(_ page: HTTPResponse) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(page)
        let reading = world.rest(world.session())
        do throws(RestFailure) {
            _ = try await reading.history(of: Self.room, before: nil, limit: 10)
            Issue.record("taken for data")
        } catch { #expect(error.backendError == .offline(.intercepted)) }
    }

    @Test(arguments: pages)
    func aRenewalOfTheSessionWaits(_ page: HTTPResponse) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(page)
        let session = world.session()
        let token = try await session.accessToken()
        await #expect(throws: BackendError.offline(.intercepted)) {
            try await session.token(replacing: token)
        }
        // The pair is still there.
        #expect(try await session.accessToken() == token)
    }
}
