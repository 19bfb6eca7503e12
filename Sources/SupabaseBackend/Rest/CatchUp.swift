import Backend
import FoundationEssentials
import Models
import SupabaseWire
import Timestamps

/// Reads what changed after a cursor: messages first, then reactions, each to its end.
///
/// The next page starts from the last row received and never from the number asked for: a server may cut any
/// page short. Rows that share a time are told apart by their keys. The end is an empty page, or a first page that
/// holds as many rows as the server counts.
///
/// Rows are hidden from who is not in the conversation, so an end is only believed of somebody who was in it all the
/// while. Whoever joined after the cursor may have been outside while a page was read: then everything is read once
/// more, for the membership that stands now.
struct CatchUp: Sendable {
    let reading: Reading
    let conversationID: UUID
    let cursor: SyncCursor

    /// A place in the two lists, in the words of the server.
    enum Place: Codable, Hashable {
        case messages(after: String, id: UUID)
        case allReactions
        case reactions(after: String, messageID: UUID, userID: UUID, symbol: String)
    }

    /// What a page goes on from.
    private struct Step: Codable {
        /// `nil` is the beginning.
        var place: Place?
        /// Since when this account is known to have been in the conversation before the reading began.
        var joinedAt: String?
    }

    private typealias Key = [(column: String, value: String)]

    /// - Throws: `.notAllowed` at the end, for somebody who is not in the conversation.
    func page(_ token: ChangePageToken?) async throws(RestFailure) -> ChangePage {
        let step = try step(token)
        switch step.place {
        case nil: return try await messages(after: nil, step)
        case .messages(let time, let id):
            return try await messages(after: [("updated_at", time), ("id", id.text)], step)
        case .allReactions: return try await reactions(after: nil, step)
        case .reactions(let time, let message, let user, let symbol):
            return try await reactions(
                after: [
                    ("updated_at", time), ("message_id", message.text), ("user_id", user.text),
                    ("symbol", RestQuery.quoted(symbol)),
                ], step)
        }
    }

    private func messages(after place: Key?, _ step: Step) async throws(RestFailure) -> ChangePage {
        let query = query(after: place).adding("order", "updated_at,id").adding("limit", "500")
        let page = try await reading.page("messages", query, of: MessageRow.self, counts: place == nil)
        guard let last = page.rows.last else { return try await reactions(after: nil, step) }
        let next: Place = page.isLast ? .allReactions : .messages(after: last.updatedAt.text, id: last.id)
        return ChangePage(
            messages: page.rows.map { reading.mapping.change($0) }, reactions: [],
            next: try token(Step(place: next, joinedAt: step.joinedAt)))
    }

    private func reactions(after place: Key?, _ step: Step) async throws(RestFailure) -> ChangePage {
        let query = query(after: place).adding("order", "updated_at,message_id,user_id,symbol")
            .adding("limit", "500")
        let page = try await reading.page("reactions", query, of: ReactionRow.self, counts: place == nil)
        var next = page.rows.last.map { last in
            Step(
                place: .reactions(
                    after: last.updatedAt.text, messageID: last.messageID, userID: last.userID,
                    symbol: last.symbol), joinedAt: step.joinedAt)
        }
        if page.isLast { next = try await end(of: step) }
        return ChangePage(
            messages: [], reactions: page.rows.map(reading.mapping.reaction),
            next: try next.map { (step) throws(RestFailure) in try token(step) })
    }

    /// - Returns: Where to begin again; `nil`: what was read is all there is.
    private func end(of step: Step) async throws(RestFailure) -> Step? {
        let joined = try await reading.joining(of: conversationID)
        guard joined.microseconds > cursor.order, joined.text != step.joinedAt else { return nil }
        return Step(place: nil, joinedAt: joined.text)
    }

    private func query(after place: Key?) -> RestQuery {
        let query = RestQuery().adding("select", "*").adding("conversation_id", "eq." + conversationID.text)
        guard let place else { return query.adding("updated_at", "gt." + cursor.token) }
        return query.adding("or", RestQuery.past(place, "gt"))
    }

    private func step(_ token: ChangePageToken?) throws(RestFailure) -> Step {
        guard let token else { return Step() }
        do throws(WireError) {
            return try WireCoding.decode(Step.self, from: token.rawValue)
        } catch { throw .unreadable }
    }

    private func token(_ step: Step) throws(RestFailure) -> ChangePageToken {
        do throws(WireError) {
            return ChangePageToken(rawValue: try WireCoding.text(step))
        } catch { throw .unreadable }
    }
}
