import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Performs outbox operations. A repeat of what was done already counts as done, whatever the server calls
/// it.
struct Writing: Sendable {
    let reading: Reading
    let files: Files
    private var rest: RestClient { reading.rest }
    private var mapping: Mapping { reading.mapping }

    init(reading: Reading, files: Files) {
        self.reading = reading
        self.files = files
    }

    func perform(_ operation: OutgoingOperation) async -> OperationOutcome {
        do throws(RestFailure) {
            switch operation {
            case .send(let message): return try await send(message)
            case .edit(let id, _, let body): return try await edit(id, body)
            case .delete(let id, _): return try await delete(id)
            case .react(let id, _, let symbol, let isOn): return try await react(id, symbol, isOn)
            case .markRead(let conversation, let message):
                return try await mark("mark_read", conversation, message)
            case .markDelivered(let conversation, let message):
                return try await mark("mark_delivered", conversation, message)
            case .removeFiles(let message, let conversation):
                return await files.removeAll(of: message, in: conversation)
            }
        } catch { return error.outcome }
    }

    // MARK: Messages

    private func send(_ message: OutgoingMessage) async throws(RestFailure) -> OperationOutcome {
        if let error = Self.refusal(of: message.body, hasFile: message.attachment != nil) {
            return .refused(error)
        }
        let request = try RestRequest.write(
            .post, "messages", RestQuery().adding("on_conflict", "id").adding("select", "*"),
            body: Self.body(message), prefer: "return=representation,resolution=ignore-duplicates")
        do throws(RestFailure) {
            if let row = try await rest.rows(request, of: MessageRow.self).rows.rows.first {
                return .stored(mapping.change(row))
            }
        } catch {
            // Another unique rule has the same code; only the row under our id tells.
            guard error == .refused(status: 409, code: "23505") else { throw error }
        }
        return try await readBack(message)
    }

    /// The server says the id is taken: by an earlier try of ours, or by somebody else.
    private func readBack(_ message: OutgoingMessage) async throws(RestFailure) -> OperationOutcome {
        guard let row = try await reading.message(message.id) else {
            return .refused(.refused(code: "23505"))
        }
        guard row.senderID == mapping.userID, row.conversationID == message.conversationID else {
            return .refused(.refused(code: "23505"))
        }
        return .stored(mapping.change(row))
    }

    private func edit(_ id: UUID, _ body: String) async throws(RestFailure) -> OperationOutcome {
        if let error = Self.refusal(of: body, hasFile: false) { return .refused(error) }
        return try await change(id, ["body": .string(body)]) { $0.deletedAt == nil && $0.body == body }
    }

    private func delete(_ id: UUID) async throws(RestFailure) -> OperationOutcome {
        try await change(id, ["deleted_at": "now"]) { $0.deletedAt != nil }
    }

    /// Changes an own message. No row, or "not allowed", may mean that it was done already: the row tells.
    private func change(_ id: UUID, _ columns: JSONValue, isDone: @Sendable (MessageRow) -> Bool)
        async throws(RestFailure) -> OperationOutcome
    {
        let query = RestQuery().adding("id", "eq." + id.text).adding("select", "*")
        let request = try RestRequest.write(
            .patch, "messages", query, body: columns, prefer: "return=representation")
        do throws(RestFailure) {
            if let row = try await rest.rows(request, of: MessageRow.self).rows.rows.first {
                return .stored(mapping.change(row))
            }
        } catch {
            guard case .refused(403, "42501") = error else { throw error }
        }
        guard let row = try await reading.message(id), row.senderID == mapping.userID, isDone(row) else {
            return .refused(.messageGone)
        }
        return .stored(mapping.change(row))
    }

    // MARK: Reactions and marks

    private func react(_ id: UUID, _ symbol: String, _ isOn: Bool) async throws(RestFailure)
        -> OperationOutcome
    {
        let call = try RestRequest.call(
            "set_reaction",
            ["p_message_id": .string(id.text), "p_symbol": .string(symbol), "p_on": .bool(isOn)])
        do throws(RestFailure) {
            let answer = try await rest.done(call)
            // Nothing there to take off is answered without a row, and one that cannot be read comes over the feed.
            guard let row = try? WireCoding.decode(ReactionRow.self, from: answer.body),
                row.messageID == id, row.userID == mapping.userID
            else { return .stored(nil) }
            return .reacted(mapping.reaction(row))
        } catch {
            // Here the code says: no such message, or not for us.
            guard case .refused(403, "42501") = error else { throw error }
            return .refused(.messageGone)
        }
    }

    private func mark(_ function: String, _ conversationID: UUID, _ messageID: UUID?)
        async throws(RestFailure) -> OperationOutcome
    {
        var arguments: [String: JSONValue] = ["p_conversation_id": .string(conversationID.text)]
        if let messageID { arguments["p_message_id"] = .string(messageID.text) }
        try await rest.done(try RestRequest.call(function, .object(arguments)))
        return .stored(nil)
    }

    // MARK: Conversations

    func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(RestFailure) -> UUID
    {
        var arguments: [String: JSONValue] = [
            "p_member_ids": .array(people.map { .string($0.text) }), "p_is_group": .bool(isGroup),
            "p_id": .string(id.text),
        ]
        if let title { arguments["p_title"] = .string(title) }
        let call = try RestRequest.call("create_conversation", .object(arguments))
        struct Created: WireObject {
            let id: UUID
            init(_ members: JSONMembers) throws(WireError) {
                id = try members.value(ConversationRow.CodingKeys.id)
            }
        }
        return try await rest.value(call, of: Created.self).id
    }

    func addMembers(_ people: [UUID], to conversationID: UUID) async throws(RestFailure) {
        let call = try RestRequest.call(
            "add_members",
            [
                "p_conversation_id": .string(conversationID.text),
                "p_member_ids": .array(people.map { .string($0.text) }),
            ])
        try await rest.done(call)
    }

    func leaveConversation(_ conversationID: UUID) async throws(RestFailure) {
        let call = try RestRequest.call(
            "leave_conversation", ["p_conversation_id": .string(conversationID.text)])
        do throws(RestFailure) { try await rest.done(call) } catch {
            // The one reason for this code: we are out already.
            guard case .refused(403, "42501") = error else { throw error }
        }
    }

    // MARK: Before the wire

    /// Most characters of a body, counted as the server counts them: by code point.
    static let bodyLimit = 8_000

    private static func refusal(of body: String, hasFile: Bool) -> SendError? {
        if body.isEmpty && !hasFile { return .empty }
        return body.unicodeScalars.count > bodyLimit ? .tooLong(limit: bodyLimit) : nil
    }

    private static func body(_ message: OutgoingMessage) -> NewMessageBody {
        var body = NewMessageBody(
            id: message.id.text, conversationID: message.conversationID.text, body: message.body,
            replyTo: message.replyTo?.text)
        body.imagePath = message.attachment?.path
        body.attachmentName = message.attachment?.name
        body.attachmentMime = message.attachment?.mimeType
        body.attachmentSize = message.attachment?.size
        body.attachmentWidth = message.attachment?.width
        body.attachmentHeight = message.attachment?.height
        return body
    }
}
