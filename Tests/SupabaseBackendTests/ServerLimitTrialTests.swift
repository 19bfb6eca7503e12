import Backend
import FoundationEssentials
import Models
import Networking
import Secrets
import TestSupport
import Testing

@testable import SupabaseBackend

/// Servers at their limits, as they were reported of other messengers.
@Suite struct ServerLimitTrialTests {
    private static let now = "Wed, 04 Mar 2026 05:06:07 GMT"

    /// The ways to ask for a pause, and its length.
    private static let pauses: [(HTTPHeaders, Duration)] = [
        (["Retry-After": "2"], .seconds(2)),
        (["Retry-After": "Wed, 04 Mar 2026 05:06:47 GMT", "Date": now], .seconds(40)),
        (["Retry-After": now, "Date": now], .zero),
    ]

    private let message = OutgoingMessage(id: UUID(), conversationID: UUID(), body: "meanwhile")

    @Test(arguments: pauses) func t21APauseIsReadFromItsHeaderAndNotFromThePage(
        _ headers: HTTPHeaders, _ pause: Duration
    ) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        let reading = world.rest(world.session())
        world.http.then(.html(429, headers))
        #expect(
            await Writing(reading: reading, files: world.files()).perform(.send(message))
                == .wait(after: pause, because: .askedToWait))
        world.http.then(.html(429, headers))
        do throws(RestFailure) {
            _ = try await reading.history(of: UUID(), before: nil, limit: 100)
            Issue.record("the page was read")
        } catch { #expect(error.backendError == .busy(retryAfter: pause)) }
        #expect(world.http.requests.count == 2)
    }

    @Test(arguments: pauses) func t22ASocketThatIsRefusedSaysHowLongToWait(
        _ headers: HTTPHeaders, _ pause: Duration
    ) async throws {
        for status in [429, 503] {
            let world = try await LinkWorld()
            world.sockets.then(.failure(.upgradeRefused(.html(status, headers))))
            await #expect(throws: BackendError.busy(retryAfter: pause)) { try await world.links.connect() }
        }
    }

    @Test func t22ASocketThatIsRefusedWithoutATimeLeavesItToUs() async throws {
        let world = try await LinkWorld()
        world.sockets.then(.failure(.upgradeRefused(.html(503))))
        await #expect(throws: BackendError.offline(.serverUnavailable)) { try await world.links.connect() }
    }

    @Test func t22ADateWithoutTheServersTimeIsComparedWithOurs() async throws {
        let world = try await LinkWorld()
        #expect(world.session.clock.now == .example(minutes: 42))  // 12 October 2026, 9:42
        let until: HTTPHeaders = ["Retry-After": "Mon, 12 Oct 2026 09:43:30 GMT"]
        world.sockets.then(.failure(.upgradeRefused(.html(503, until))))
        await #expect(throws: BackendError.busy(retryAfter: .seconds(90))) { try await world.links.connect() }
    }

    @Test func t22AnOutageOfEveryDoorLeavesTheMessageWaiting() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        let session = world.session()
        let writing = Writing(reading: world.rest(session), files: world.files())
        world.http.then(.html(503))
        #expect(await writing.perform(.send(message)) == .wait(after: nil, because: .serverFailed))
        world.clock.advance(by: 3_700)
        world.http.then(.html(503))  // the renewal
        #expect(await writing.perform(.send(message)) == .wait(after: nil, because: .offline))
        #expect(try await world.secrets.value(for: SupabaseSession.secretName) != nil)
    }
}
