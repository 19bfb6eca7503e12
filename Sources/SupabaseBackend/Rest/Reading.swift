import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Timestamps

/// The questions of the wire contract, as the engine asks them.
struct Reading: Sendable {
    let rest: RestClient
    let mapping: Mapping

    func ownProfile() async throws(RestFailure) -> Person {
        var query = RestQuery()
        query.add("select", "id,username,display_name")
        query.add("id", "eq." + mapping.userID.text)
        guard let row = try await rest.rows(.get("profiles", query), of: ProfileRow.self).rows.rows.first
        else {
            throw .link(.notFound)
        }
        return mapping.person(row)
    }

    func people(matching text: String) async throws(RestFailure) -> [Person] {
        guard text.unicodeScalars.count >= 2 else { return [] }
        let call = try RestRequest.call("search_profiles", ["p_query": .string(text)])
        return try await rest.rows(call, of: ProfileRow.self).rows.rows.map(mapping.person)
    }

    func conversations(before anchor: ConversationHead?) async throws(RestFailure) -> [ConversationHead] {
        var place = anchor.map { (time: $0.pageToken, id: $0.conversation.id) }
        while true {
            var arguments: [String: JSONValue] = ["p_limit": 100]
            if let place {
                arguments["p_before"] = .string(place.time)
                arguments["p_before_id"] = .string(place.id.text)
            }
            let call = try RestRequest.call("list_conversations", .object(arguments))
            let (page, answer) = try await rest.rows(call, of: ListedConversationRow.self)
            if !page.rows.isEmpty || page.count == 0 { return page.rows.map(mapping.head) }
            // A page without one readable row is not the end: go on from its last place.
            let marks = try? WireCoding.decode(LossyRows<ListedConversationMark>.self, from: answer.body)
            guard let last = marks?.rows.last else { throw .unreadable }
            place = (last.activityAt.text, last.id)
        }
    }

    /// Everybody, over as many pages as the server cuts them into.
    func members(of conversationID: UUID) async throws(RestFailure) -> [Member] {
        var members: [Member] = []
        var last: UUID?
        while true {
            var query = RestQuery()
            query.add("select", "*,profiles!conversation_members_user_id_fkey(username,display_name)")
            query.add("conversation_id", "eq." + conversationID.text)
            if let last { query.add("user_id", "gt." + last.text) }
            query.add("order", "user_id")
            query.add("limit", "500")
            let request = RestRequest.get("conversation_members", query, prefer: "count=exact")
            let (page, answer) = try await rest.rows(request, of: NamedMemberRow.self)
            members += page.rows.map(mapping.member)
            if page.count == 0 || page.count == ContentRange.total(of: answer) { return members }
            guard let next = page.rows.last?.member.userID else { throw .unreadable }
            last = next
        }
    }

    /// - Throws: `.notAllowed` when there is nothing to see for somebody who is not in the conversation.
    func history(of conversationID: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(RestFailure) -> [MessageChange]
    {
        let page = try await visibleHistory(of: conversationID, before: anchor, limit: limit)
        guard page.isEmpty else { return page }
        // Nothing is only believed of somebody who was in it before and after it was read.
        var joined = try await joining(of: conversationID)
        while true {
            let page = try await visibleHistory(of: conversationID, before: anchor, limit: limit)
            guard page.isEmpty else { return page }
            let before = joined
            joined = try await joining(of: conversationID)
            if joined == before { return [] }
        }
    }

    private func visibleHistory(of conversationID: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(RestFailure) -> [MessageChange]
    {
        var query = RestQuery()
        query.add("select", "*,reactions(*)")
        query.add("conversation_id", "eq." + conversationID.text)
        if let anchor {
            let time = Timestamp(microseconds: anchor.position).text
            query.add("or", RestQuery.past([("created_at", time), ("id", anchor.id.text)], "lt"))
        }
        query.add("order", "created_at.desc,id.desc")
        query.add("limit", String(min(max(limit, 1), 200)))
        var changes: [MessageChange] = []
        for row in try await page("messages", query, of: MessageWithReactionsRow.self).rows {
            changes.append(mapping.change(row.message, reactions: try await reactions(of: row)))
        }
        return changes
    }

    /// One message as it is now; `nil` when it is not there or not visible.
    func message(_ id: UUID) async throws(RestFailure) -> MessageRow? {
        let query = RestQuery().adding("select", "*").adding("id", "eq." + id.text)
        return try await rest.rows(.get("messages", query), of: MessageRow.self).rows.rows.first
    }

    func reactions(of messageID: UUID) async throws(RestFailure) -> [ReactionRow] {
        var rows: [ReactionRow] = []
        while true {
            var query = RestQuery()
            query.add("select", "*")
            query.add("message_id", "eq." + messageID.text)
            if let last = rows.last {
                query.add(
                    "or",
                    RestQuery.past(
                        [("user_id", last.userID.text), ("symbol", RestQuery.quoted(last.symbol))], "gt"))
            }
            query.add("order", "user_id,symbol")
            query.add("limit", "500")
            let more = try await page("reactions", query, of: ReactionRow.self).rows
            if more.isEmpty { return rows }
            rows += more
        }
    }

    func member(_ userID: UUID, of conversationID: UUID) async throws(RestFailure) -> MemberRow? {
        var query = RestQuery().adding("select", "*")
        query.add("conversation_id", "eq." + conversationID.text)
        query.add("user_id", "eq." + userID.text)
        return try await rest.rows(.get("conversation_members", query), of: MemberRow.self).rows.rows.first
    }

    /// Since when this account is in a conversation. Rows are hidden from who is not, so that an end of them may be
    /// none: this is asked after it.
    /// - Throws: `.notAllowed` when it is not in it.
    func joining(of conversationID: UUID) async throws(RestFailure) -> Timestamp {
        guard let row = try await member(mapping.userID, of: conversationID), row.leftAt == nil else {
            throw .link(.notAllowed)
        }
        return row.joinedAt
    }

    /// A server's cap on rows cuts an embedding silently too: a long list of reactions is read on its own.
    private func reactions(of row: MessageWithReactionsRow) async throws(RestFailure) -> [ReactionRow]? {
        guard let embedded = row.reactions, embedded.count >= 20 else { return row.reactions }
        let all = try await reactions(of: row.message.id)
        _ = try await joining(of: row.message.conversationID)
        return all
    }

    /// The readable rows of a page. Empty only at the true end: a page where nothing could be read is skipped.
    ///
    /// - Parameter counts: Has the server count what there is, so that a page can be known to be the last one.
    func page<Row: WireObject>(
        _ table: String, _ query: RestQuery, of type: Row.Type, counts: Bool = false
    ) async throws(RestFailure) -> (rows: [Row], isLast: Bool) {
        var offset = 0
        while true {
            let request = RestRequest.get(
                table, offset == 0 ? query : query.adding("offset", String(offset)),
                prefer: counts ? "count=exact" : nil)
            let (page, answer) = try await rest.rows(request, of: Row.self)
            offset += page.count
            let isLast = page.count == 0 || ContentRange.total(of: answer).map { $0 <= offset } ?? false
            if !page.rows.isEmpty || isLast { return (page.rows, isLast) }
        }
    }
}

/// `Content-Range: 0-24/3573` (RFC 9110 section 14.4, with items as the unit).
enum ContentRange {
    /// - Returns: `nil` when the total was not counted.
    static func total(of answer: HTTPResponse) -> Int? {
        answer.headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
    }
}
