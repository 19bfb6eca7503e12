import SQLite

/// Opening conversations, and who is in them.
struct ConversationFunctions {
    let session: Session
    let user: String

    /// Idempotent: the same id, or the same pair of people, answers the conversation that exists.
    func create(_ arguments: FunctionArguments) throws(Refusal) -> StoredRow {
        var seen: Set<String> = [user]
        let others = arguments.ids.filter { seen.insert($0).inserted }
        let isGroup = arguments.flag("p_is_group") ?? (others.count != 1)
        guard isGroup || others.count == 1 else {
            throw Refusal(400, "22023", "a one-to-one conversation needs exactly one other member")
        }
        guard others.count <= 255 else { throw Refusal(400, "22023", "too many members") }
        for other in others {
            guard try session.row(.profiles, key: [other]) != nil else {
                throw Refusal(409, "23503", "unknown member")
            }
        }
        if let id = arguments.text("p_id"), let known = try session.row(.conversations, key: [id]) {
            return try shown(known)
        }
        guard !isGroup, let other = others.first else {
            return try start(arguments, others, key: nil)
        }
        let key = [user, other].sorted().joined(separator: ":")
        let known = try session.rows(.conversations, "WHERE direct_key = ?", [key]).first
        guard let known else { return try start(arguments, others, key: key) }
        try rejoin(known)
        return known
    }

    private func start(_ arguments: FunctionArguments, _ others: [String], key: String?) throws(Refusal)
        -> StoredRow
    {
        var row = StoredRow(table: .conversations, values: Table.conversations.columns.map { _ in .null })
        row["id"] = .text(arguments.text("p_id") ?? UUIDText.random())
        if key == nil, let title = arguments.text("p_title")?.trimmingSpaces(), !title.isEmpty {
            row["title"] = .text(title)
        }
        row["is_group"] = .integer(key == nil ? 1 : 0)
        row["direct_key"] = key.map { .text($0) } ?? .null
        row["created_by"] = .text(user)
        row["changed_at"] = .integer(session.now)
        row["created_at"] = .integer(session.now)
        try Checks.conversation(row)
        try session.insert(row)
        try session.insert(member(user, of: row, role: key == nil ? "owner" : "member"))
        for other in others { try session.insert(member(other, of: row, role: "member")) }
        return row
    }

    private func shown(_ conversation: StoredRow) throws(Refusal) -> StoredRow {
        guard try session.isMember(user, of: conversation.text("id")) else { throw Self.notAMember }
        return conversation
    }

    /// Who left a conversation of two is in it again on opening it anew.
    private func rejoin(_ conversation: StoredRow) throws(Refusal) {
        guard let old = try session.row(.conversationMembers, key: [conversation["id"], user]),
            !old.isNull("left_at")
        else { return }
        var row = old
        row["left_at"] = .null
        try session.update(old, to: row)
    }

    private func member(_ id: String, of conversation: StoredRow, role: String) -> StoredRow {
        var row = StoredRow(
            table: .conversationMembers, values: Table.conversationMembers.columns.map { _ in .null })
        row["conversation_id"] = conversation["id"]
        row["user_id"] = .text(id)
        row["role"] = .text(role)
        row["joined_at"] = .integer(session.now)
        return row
    }

    /// - Returns: How many are new. Unknown people are passed over.
    func addMembers(_ arguments: FunctionArguments) throws(Refusal) -> Int {
        guard let id = arguments.text("p_conversation_id"), try session.isManager(user, of: id),
            let conversation = try session.row(.conversations, key: [id])
        else { throw .denied("only an owner or admin of a group can add members") }
        var count = 0
        for person in Set(arguments.ids).sorted() {
            guard try session.row(.profiles, key: [person]) != nil else { continue }
            let added = member(person, of: conversation, role: "member")
            guard let old = try session.row(.conversationMembers, key: [id, person]) else {
                try session.insert(added)
                count += 1
                continue
            }
            guard !old.isNull("left_at") else { continue }
            var row = old
            row["left_at"] = .null
            row["joined_at"] = added["joined_at"]
            row["role"] = added["role"]
            try session.update(old, to: row)
            count += 1
        }
        return count
    }

    /// Leaves, or as owner or admin removes someone else. A group keeps an owner as long as it has a member.
    func leave(_ arguments: FunctionArguments) throws(Refusal) {
        guard let id = arguments.text("p_conversation_id"), try session.isMember(user, of: id) else {
            throw Self.notAMember
        }
        let target = arguments.text("p_user_id") ?? user
        let old = try session.row(.conversationMembers, key: [id, target])
        if target != user {
            guard try session.isManager(user, of: id) else {
                throw .denied("only an owner or admin of a group can remove members")
            }
            guard old?.text("role") != "owner" else { throw .denied("the owner cannot be removed") }
        }
        guard let old, old.isNull("left_at") else { return }
        var row = old
        row["left_at"] = .integer(session.now)
        let wasOwner = target == user && old.text("role") == "owner"
        if wasOwner { row["role"] = .text("member") }
        try session.update(old, to: row)
        if wasOwner { try handOver(id) }
    }

    private func handOver(_ conversation: String) throws(Refusal) {
        let heirs = try session.rows(
            .conversationMembers,
            """
            WHERE conversation_id = ? AND left_at IS NULL
            ORDER BY role = 'admin' DESC, joined_at, user_id LIMIT 1
            """, [conversation])
        guard let old = heirs.first else { return }
        var row = old
        row["role"] = .text("owner")
        try session.update(old, to: row)
    }

    static let notAMember = Refusal.denied("not a member of this conversation")
}
