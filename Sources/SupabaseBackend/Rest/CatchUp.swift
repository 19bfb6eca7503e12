import Backend
import FoundationEssentials
import Models
import SupabaseWire
import Timestamps

/// Reads what changed after a cursor: messages first, then reactions, each to its empty page.
///
/// The next page starts from the last row received and never from the number asked for: a server may cut any
/// page short. Rows that share a time are told apart by their keys.
struct CatchUp: Sendable {
    let reading: Reading
    let conversationID: UUID
    /// As received; sent back unchanged.
    let cursor: String

    /// A place in the two lists, in the words of the server.
    enum Place: Codable, Hashable {
        case messages(after: String, id: UUID)
        case reactions(after: String, messageID: UUID, userID: UUID, symbol: String)
    }

    func page(_ token: ChangePageToken?) async throws(RestFailure) -> ChangePage {
        switch try place(token) {
        case nil: return try await messages(after: nil)
        case .messages(let time, let id):
            return try await messages(after: [("updated_at", time), ("id", id.text)])
        case .reactions(let time, let message, let user, let symbol):
            return try await reactions(after: [
                ("updated_at", time), ("message_id", message.text), ("user_id", user.text),
                ("symbol", RestQuery.quoted(symbol)),
            ])
        }
    }

    private func messages(after place: [(column: String, value: String)]?) async throws(RestFailure)
        -> ChangePage
    {
        let query = query(after: place).adding("order", "updated_at,id").adding("limit", "500")
        let rows = try await reading.page("messages", query, of: MessageRow.self)
        guard let last = rows.last else { return try await reactions(after: nil) }
        let next = try token(.messages(after: last.updatedAt.text, id: last.id))
        return ChangePage(messages: rows.map { reading.mapping.change($0) }, reactions: [], next: next)
    }

    private func reactions(after place: [(column: String, value: String)]?) async throws(RestFailure)
        -> ChangePage
    {
        let query = query(after: place).adding("order", "updated_at,message_id,user_id,symbol")
            .adding("limit", "500")
        let rows = try await reading.page("reactions", query, of: ReactionRow.self)
        guard let last = rows.last else { return ChangePage(messages: [], reactions: [], next: nil) }
        let next = try token(
            .reactions(
                after: last.updatedAt.text, messageID: last.messageID, userID: last.userID,
                symbol: last.symbol))
        return ChangePage(messages: [], reactions: rows.map(reading.mapping.reaction), next: next)
    }

    private func query(after place: [(column: String, value: String)]?) -> RestQuery {
        let query = RestQuery().adding("select", "*").adding("conversation_id", "eq." + conversationID.text)
        guard let place else { return query.adding("updated_at", "gt." + cursor) }
        return query.adding("or", RestQuery.past(place, "gt"))
    }

    private func place(_ token: ChangePageToken?) throws(RestFailure) -> Place? {
        guard let token else { return nil }
        do throws(WireError) {
            return try WireCoding.decode(Place.self, from: token.rawValue)
        } catch { throw .unreadable }
    }

    private func token(_ place: Place) throws(RestFailure) -> ChangePageToken {
        do throws(WireError) {
            return ChangePageToken(rawValue: try WireCoding.text(place))
        } catch { throw .unreadable }
    }
}
