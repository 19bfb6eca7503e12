import Backend
import FoundationEssentials
import Models
import SupabaseWire
import TestSupport
import Testing

@testable import SupabaseBackend

/// Sessions of another person where this one's should be. Nothing is ever sent under another name.
@Suite struct StrangerTests {
    @Test func aKeptSessionOfSomebodyElseIsNone() async throws {
        let world = try SessionWorld()
        let body = try WireCoding.decode(SessionBody.self, from: world.sessionJSON(1, of: UUID()))
        try await SupabaseSession.write(
            StoredSession(body, receivedAt: world.clock.now.microseconds), to: world.secrets)
        let session = world.session()
        await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
        // Once the right one is there, it goes on.
        try await world.keep(2)
        #expect(number(of: try await session.accessToken()) == 2)
    }

    @Test func aRenewalThatGivesSomebodyElsesSessionEndsThisOne() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(.json(world.sessionJSON(2, of: UUID())))
        let session = world.session()
        let token = try await session.accessToken()
        await #expect(throws: BackendError.signedOut) { try await session.token(replacing: token) }
        await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
    }
}
