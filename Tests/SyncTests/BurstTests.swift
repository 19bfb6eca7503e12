import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BurstTests {
    @Test func aBurstOfTenThousandIsStoredAndShown() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "burst-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody
        let world = try World(store: .open(directory: directory, for: .ana))
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        for number in 0..<10_000 { world.server.say("message \(number)", in: world.room, from: .ben) }

        var seen = 0
        for await _ in stream {
            seen += 1
            if seen == 10_000 { break }
        }

        // One transaction for each message would take a hundred times as long, and the time limit.
        #expect(
            try await world.store.newestPage(in: world.room, limit: 1).messages.map(\.body) == [
                "message 9999"
            ])
        await world.engine.stop()
    }
}
