import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Messages without anything in them and threads without an end, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct SizeTrialTests {
    static let blanks = ["", "   ", "\t", "\n\n\n", "\u{A0}", "\u{200B}\u{FEFF}", "\u{2800}", "\u{3164}"]

    @Test(arguments: blanks) func t36WhatIsBlankIsNeitherSentNorPutInThePlaceOfText(_ text: String)
        async throws
    {
        let world = try World()
        await world.connect()
        let said = try await world.engine.send("  something", in: world.room, replyTo: nil)
        await #expect(throws: ChatError.self) {
            try await world.engine.send(text, in: world.room, replyTo: nil)
        }
        await #expect(throws: ChatError.self) {
            try await world.engine.edit(said.id, in: world.room, body: text)
        }
        while try await world.store.waitingCount() > 0 { await Task.yield() }
        // An indent is part of what was said.
        #expect(world.server.messages(in: world.room).map(\.body) == ["  something"])
        await world.engine.stop()
    }

    @Test(arguments: blanks) func t36APictureGoesWithoutACaptionNobodyCanSee(_ text: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "blank-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
        try Data("picture".utf8).write(to: URL(filePath: folder + "/copy"))
        let world = try World(store: .inMemory(for: .ana, spoolFolder: folder))
        await world.connect()
        let file = OutgoingFile(
            copy: "copy", attachment: Attachment(path: "", name: "cat.png", mimeType: "image/png", size: 7),
            sha256: "ab")
        try await world.engine.send(text, in: world.room, replyTo: nil, file: file)
        while world.server.messages(in: world.room).isEmpty { await Task.yield() }
        #expect(world.server.messages(in: world.room).map(\.body) == [""])
        #expect(world.server.messages(in: world.room).first?.attachment?.name == "cat.png")
        await world.engine.stop()
    }

    @Test func t34OpeningAndLeavingALongThreadFetchesAPageOfIt() async throws {
        let server = FakeServer()
        let world = try World(server: server)
        for number in 1...3_000 { server.say("m\(number)", in: world.room, from: .ben) }
        await world.connect()
        for _ in 0..<20 {
            let opened = await world.engine.openThread(world.room)
            #expect(opened.page.count <= 100)
        }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        #expect(world.backend.count(of: "history") == 1)
        let held = try await world.store.newestPage(in: world.room, limit: 5_000).messages
        #expect(held.count == 100)

        // A page up is a page.
        let page = try await world.engine.olderMessages(
            in: world.room, before: try #require(held.first), limit: 100)
        #expect(page.messages.map(\.body) == (2_801...2_900).map { "m\($0)" })
        #expect(world.backend.count(of: "history") == 2)
        await world.engine.stop()
    }
}
