import Backend
import FoundationEssentials
import Models

/// Two people at one service, just signed in, with a conversation between them and nothing said yet.
package struct ContractWorld: Sendable {
    package var ana: any ChatBackend
    package var ben: any ChatBackend
    package var conversationID: UUID

    package init(ana: any ChatBackend, ben: any ChatBackend, conversationID: UUID) {
        self.ana = ana
        self.ben = ben
        self.conversationID = conversationID
    }
}

/// One promise of `ChatBackend` that every backend must keep. Each check wants a world of its own.
package struct BackendCheck: Sendable, CustomStringConvertible {
    package let description: String
    package let run: @Sendable (ContractWorld) async throws -> Void
}

/// A promise that was not kept.
package struct ContractViolation: Error, CustomStringConvertible {
    package let description: String
}

/// The checks; a backend's tests run them as arguments: `@Test(arguments: backendContract)`.
package let backendContract: [BackendCheck] = [
    BackendCheck(description: "a send is stored once, whatever the tries") { world in
        let message = world.message("once")
        let first = try stored(await world.ana.perform(.send(message)))
        let second = try stored(await world.ana.perform(.send(message)))
        try expect(first.message.position != nil, "a stored message has a position")
        try expect(first.message.deliveryState == .sent, "a stored message is sent")
        try expect(second.message.position == first.message.position, "a repeat gives the stored row")
        let history = try await world.ben.history(of: world.conversationID, before: nil, limit: 10)
        try expect(history.map(\.message.body) == ["once"], "there is one message")
    },
    BackendCheck(description: "history is paged newest first to its beginning") { world in
        for number in 1...5 { try await world.say("m\(number)") }
        var bodies: [String] = []
        var anchor: MessageAnchor?
        while true {
            let page = try await world.ben.history(of: world.conversationID, before: anchor, limit: 2)
            guard let last = page.last, let position = last.message.position else { break }
            bodies += page.map(\.message.body)
            anchor = MessageAnchor(position: position, id: last.message.id)
        }
        try expect(bodies == ["m5", "m4", "m3", "m2", "m1"], "pages join without a hole: \(bodies)")
    },
    BackendCheck(description: "who left is told so, and not that there is nothing") { world in
        try await world.say("before")
        let cursor = try await world.head(of: world.ben).changed
        try await world.ben.leaveConversation(world.conversationID)
        try await world.say("after")
        let id = world.conversationID
        try await expectNotAllowed { () async throws(BackendError) in
            _ = try await world.ben.history(of: id, before: nil, limit: 10)
        }
        try await expectNotAllowed { () async throws(BackendError) in
            _ = try await world.ben.changes(in: id, after: cursor, page: nil)
        }
    },
    BackendCheck(description: "changes after a cursor hold all that came, was edited, deleted or reacted to")
    { world in
        let early = try await world.say("early")
        let doomed = try await world.say("doomed")
        let cursor = try await world.head(of: world.ben).changed
        _ = try await world.say("late")
        let id = world.conversationID
        _ = await world.ana.perform(.edit(messageID: early.id, conversationID: id, body: "edited"))
        _ = await world.ana.perform(.delete(messageID: doomed.id, conversationID: id))
        _ = await world.ana.perform(.react(messageID: early.id, conversationID: id, symbol: "👍", isOn: true))
        let (messages, reactions) = try await world.changes(after: cursor)
        let bodies = Dictionary(messages.map { ($0.message.id, $0.message.body) }) { $1 }
        try expect(bodies[early.id] == "edited", "the edit is there")
        try expect(bodies[doomed.id] == "", "the deleted message is blank")
        try expect(bodies.values.contains("late"), "the new message is there")
        try expect(
            reactions.contains { $0.messageID == early.id && $0.isOn && $0.userID == world.ana.userID },
            "the reaction is there")
        let after = try await world.head(of: world.ben).changed
        let (none, noReactions) = try await world.changes(after: after)
        try expect(none.isEmpty && noReactions.isEmpty, "nothing is after the newest cursor")
    },
    BackendCheck(description: "after live, what is committed arrives in order") { world in
        let events = try await world.ben.connect()
        var iterator = events.makeAsyncIterator()
        try await skip(&iterator, to: "live") { $0 == .live }
        for number in 1...3 { try await world.say("l\(number)") }
        var bodies: [String] = []
        while bodies.count < 3, let event = await iterator.next() {
            if case .message(let change) = event { bodies.append(change.message.body) }
        }
        try expect(bodies == ["l1", "l2", "l3"], "live messages in order: \(bodies)")
    },
    BackendCheck(description: "an edit raises the version and keeps the place") { world in
        let before = try await world.say("before")
        let edit = OutgoingOperation.edit(
            messageID: before.id, conversationID: world.conversationID, body: "after")
        let after = try stored(await world.ana.perform(edit)).message
        try expect(after.body == "after" && after.version > before.version, "the edit is the later form")
        try expect(after.position == before.position, "its place stays")
    },
    BackendCheck(description: "somebody else's message cannot be changed") { world in
        let message = try await world.say("hers")
        let edit = OutgoingOperation.edit(
            messageID: message.id, conversationID: world.conversationID, body: "his")
        guard case .refused = await world.ben.perform(edit) else {
            throw ContractViolation(description: "an edit of somebody else's message was not refused")
        }
    },
    BackendCheck(description: "marks count down the unread and reach the other side") { world in
        let first = try await world.say("one")
        let second = try await world.say("two")
        try expect(try await world.head(of: world.ben).conversation.unreadCount == 2, "two are unread")
        try expect(try await world.head(of: world.ana).conversation.unreadCount == 0, "own ones never count")
        _ = await world.ben.perform(.markRead(conversationID: world.conversationID, messageID: second.id))
        _ = await world.ben.perform(.markRead(conversationID: world.conversationID, messageID: first.id))
        let bens = try await world.head(of: world.ben).conversation
        try expect(bens.unreadCount == 0 && bens.readPosition == second.position, "a mark never moves back")
        let anas = try await world.head(of: world.ana).conversation
        try expect(anas.othersReadPosition == second.position, "the other side sees it")
        try expect(anas.othersDeliveredPosition == second.position, "what was read was received")
    },
    BackendCheck(description: "the same pair of people has one conversation") { world in
        let again = try await world.ana.createConversation(
            id: UUID(), with: [world.ben.userID], title: nil, isGroup: false)
        try expect(again == world.conversationID, "starting it again gives the one that exists")
    },
    BackendCheck(description: "who is not in a conversation cannot write there") { world in
        let message = OutgoingMessage(id: UUID(), conversationID: UUID(), body: "nowhere")
        guard case .refused = await world.ana.perform(.send(message)) else {
            throw ContractViolation(description: "a send into an unknown conversation was not refused")
        }
    },
    BackendCheck(description: "the list is paged to an empty page") { world in
        let first = try await world.ana.conversations(before: nil)
        try expect(first.map(\.conversation.id) == [world.conversationID], "the conversation is on the list")
        let rest = try await world.ana.conversations(before: first.last)
        try expect(rest.isEmpty, "the page after the last is empty")
    },
    BackendCheck(
        description: "what was brought for a message is taken away by who brought it, and stays away"
    ) { world in
        let folder = FileManager.default.temporaryDirectory.path + "/contract-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
        try Data("a file".utf8).write(to: URL(filePath: folder + "/copy"))
        let file = FileUpload(
            messageID: UUID(), conversationID: world.conversationID, localPath: folder + "/copy",
            name: "a.txt", mimeType: "text/plain", size: 6, sha256: "of the file")
        guard case .stored(let path) = await world.ana.upload(file, progress: { _ in }) else {
            throw ContractViolation(description: "the file was not taken")
        }
        let removal = OutgoingOperation.removeFiles(
            messageID: file.messageID, conversationID: world.conversationID)
        try expect(await world.ben.perform(removal) == .stored(nil), "what is not there is done")
        _ = try await world.ben.remoteFile(at: path)
        for _ in 1...2 { try expect(await world.ana.perform(removal) == .stored(nil), "a repeat is done") }
        do throws(BackendError) {
            _ = try await world.ben.remoteFile(at: path)
            throw .taken
        } catch { try expect(error == .notFound, "it is gone") }
    },
    BackendCheck(description: "the conversation names its people") { world in
        let members = try await world.ana.members(of: world.conversationID)
        try expect(Set(members.map(\.id)) == [world.ana.userID, world.ben.userID], "both are in it")
        try expect(members.allSatisfy { !$0.person.username.isEmpty && !$0.hasLeft }, "with their names")
    },
]

extension ContractWorld {
    fileprivate func message(_ body: String) -> OutgoingMessage {
        OutgoingMessage(id: UUID(), conversationID: conversationID, body: body)
    }

    @discardableResult
    fileprivate func say(_ body: String) async throws -> Message {
        try stored(await ana.perform(.send(message(body)))).message
    }

    fileprivate func head(of backend: any ChatBackend) async throws -> ConversationHead {
        let heads = try await backend.conversations(before: nil)
        guard let head = heads.first(where: { $0.conversation.id == conversationID }) else {
            throw ContractViolation(description: "the conversation is not on the list")
        }
        return head
    }

    fileprivate func changes(after cursor: SyncCursor) async throws -> ([MessageChange], [ReactionChange]) {
        var messages: [MessageChange] = []
        var reactions: [ReactionChange] = []
        var token: ChangePageToken?
        repeat {
            let page = try await ben.changes(in: conversationID, after: cursor, page: token)
            messages += page.messages
            reactions += page.reactions
            token = page.next
        } while token != nil
        return (messages, reactions)
    }
}

private func expect(_ isKept: Bool, _ promise: String) throws {
    guard isKept else { throw ContractViolation(description: "not kept: " + promise) }
}

private func expectNotAllowed(_ call: () async throws(BackendError) -> Void) async throws {
    do throws(BackendError) { try await call() } catch .notAllowed { return }
    throw ContractViolation(description: "not kept: whoever is not in a conversation is not answered")
}

private func stored(_ outcome: OperationOutcome) throws -> MessageChange {
    guard case .stored(let change?) = outcome else {
        throw ContractViolation(description: "not stored with its row: \(outcome)")
    }
    return change
}

private func skip(
    _ iterator: inout AsyncStream<BackendEvent>.AsyncIterator, to name: String, _ isIt: (BackendEvent) -> Bool
) async throws {
    while let event = await iterator.next(isolation: nil) {
        if isIt(event) { return }
    }
    throw ContractViolation(description: "the link ended before \(name)")
}
