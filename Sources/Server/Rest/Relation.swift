/// How rows of one table lead to rows of another: by a foreign key, in either direction, or through a third.
struct Relation: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The row holds the other's id: one object, or null.
        case toOne(column: String)
        /// The others hold the row's id: a list.
        case toMany(column: String)
        /// A third table holds both ids: a list.
        case through(Table, own: String, other: String)
    }

    /// The foreign key's name, or that of the table between.
    let name: String
    let target: Table
    let kind: Kind

    var isToOne: Bool { if case .toOne = kind { true } else { false } }

    private struct Key {
        let name: String
        let holder: Table
        let column: String
        let target: Table
    }

    private static let keys: [Key] = [
        Key(
            name: "conversations_created_by_fkey", holder: .conversations, column: "created_by",
            target: .profiles),
        Key(
            name: "conversation_members_conversation_id_fkey", holder: .conversationMembers,
            column: "conversation_id", target: .conversations),
        Key(
            name: "conversation_members_user_id_fkey", holder: .conversationMembers, column: "user_id",
            target: .profiles),
        Key(
            name: "messages_conversation_id_fkey", holder: .messages, column: "conversation_id",
            target: .conversations),
        Key(name: "messages_sender_id_fkey", holder: .messages, column: "sender_id", target: .profiles),
        Key(name: "messages_reply_to_fkey", holder: .messages, column: "reply_to", target: .messages),
        Key(name: "reactions_message_id_fkey", holder: .reactions, column: "message_id", target: .messages),
        Key(name: "reactions_user_id_fkey", holder: .reactions, column: "user_id", target: .profiles),
    ]

    /// Tables whose primary key holds two foreign keys join what those lead to.
    private static let junctions: [(table: Table, one: (Table, String), other: (Table, String))] = [
        (.conversationMembers, (.conversations, "conversation_id"), (.profiles, "user_id")),
        (.reactions, (.messages, "message_id"), (.profiles, "user_id")),
    ]

    private static func all(from table: Table) -> [Relation] {
        var relations: [Relation] = []
        for key in keys {
            if key.holder == table {
                relations.append(
                    Relation(name: key.name, target: key.target, kind: .toOne(column: key.column)))
            }
            if key.target == table {
                relations.append(
                    Relation(name: key.name, target: key.holder, kind: .toMany(column: key.column)))
            }
        }
        for (between, one, other) in junctions {
            for (from, to) in [(one, other), (other, one)] where from.0 == table {
                let kind = Kind.through(between, own: from.1, other: to.1)
                relations.append(Relation(name: between.rawValue, target: to.0, kind: kind))
            }
        }
        return relations
    }

    /// The one relation an embedding means.
    /// - Throws: `PGRST200` when there is none, `PGRST201` when there are several.
    static func find(_ embed: Embed, from table: Table?, named source: String) throws(Refusal) -> Relation {
        let reachable = table.map(all(from:)) ?? []
        var choices = reachable.filter { $0.target.rawValue == embed.target }
        if let hint = embed.hint {
            choices = choices.filter { $0.name == hint || $0.column == hint }
            // A key from a table to itself leads both ways; its name means the way it points.
            if choices.count > 1 { choices = choices.filter(\.isToOne) }
        }
        guard let only = choices.first else { throw unknown(embed, source) }
        guard choices.count == 1 else { throw ambiguous(embed, source, choices) }
        return only
    }

    private var column: String? {
        switch kind {
        case .toOne(let column), .toMany(let column): column
        case .through: nil
        }
    }

    private static func unknown(_ embed: Embed, _ source: String) -> Refusal {
        Refusal(
            400, "PGRST200",
            "Could not find a relationship between '\(source)' and '\(embed.target)' in the schema cache",
            details: "Searched for a foreign key relationship between '\(source)' and '\(embed.target)'"
                + (embed.hint.map { " using the hint '\($0)'" } ?? "") + ", but no matches were found.")
    }

    private static func ambiguous(_ embed: Embed, _ source: String, _ choices: [Relation]) -> Refusal {
        var writer = JSONText()
        writer.list(choices) { writer, choice in
            let words = [
                (name: "cardinality", value: choice.cardinality),
                ("embedding", "\(source) with \(embed.target)"), ("relationship", choice.name),
            ]
            writer.object(words) { $0.string($1) }
        }
        var refusal = Refusal(
            300, "PGRST201",
            "Could not embed because more than one relationship was found for '\(source)' and '\(embed.target)'",
            hint: "Try changing '\(embed.target)' to one of the following: "
                + choices.map { "'\(embed.target)!\($0.name)'" }.joined(separator: ", "))
        refusal.choices = writer.text
        return refusal
    }

    private var cardinality: String {
        switch kind {
        case .toOne: "many-to-one"
        case .toMany: "one-to-many"
        case .through: "many-to-many"
        }
    }
}
