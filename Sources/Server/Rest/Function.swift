import SQLite
import SupabaseWire

/// The functions of the public schema, and their arguments by name.
enum Function: String, Sendable, CaseIterable {
    case createConversation = "create_conversation"
    case addMembers = "add_members"
    case leaveConversation = "leave_conversation"
    case markRead = "mark_read"
    case markDelivered = "mark_delivered"
    case setConversationFlags = "set_conversation_flags"
    case setReaction = "set_reaction"
    case listConversations = "list_conversations"
    case searchMessages = "search_messages"
    case searchProfiles = "search_profiles"

    struct Argument: Sendable {
        enum Kind: Sendable, Equatable {
            case value(ColumnKind)
            case ids
        }

        let name: String
        let kind: Kind
        var isRequired = false
    }

    /// Whether it only reads, so that GET may call it.
    var onlyReads: Bool {
        switch self {
        case .listConversations, .searchMessages, .searchProfiles: true
        case .createConversation, .addMembers, .leaveConversation, .markRead, .markDelivered,
            .setConversationFlags, .setReaction:
            false
        }
    }

    var arguments: [Argument] {
        switch self {
        case .createConversation:
            [
                Argument(name: "p_member_ids", kind: .ids, isRequired: true),
                Argument(name: "p_title", kind: .value(.text)),
                Argument(name: "p_is_group", kind: .value(.bool)),
                Argument(name: "p_id", kind: .value(.uuid)),
            ]
        case .addMembers:
            [
                Argument(name: "p_conversation_id", kind: .value(.uuid), isRequired: true),
                Argument(name: "p_member_ids", kind: .ids, isRequired: true),
            ]
        case .leaveConversation:
            [
                Argument(name: "p_conversation_id", kind: .value(.uuid), isRequired: true),
                Argument(name: "p_user_id", kind: .value(.uuid)),
            ]
        case .markRead, .markDelivered:
            [
                Argument(name: "p_conversation_id", kind: .value(.uuid), isRequired: true),
                Argument(name: "p_message_id", kind: .value(.uuid)),
            ]
        case .setConversationFlags:
            [
                Argument(name: "p_conversation_id", kind: .value(.uuid), isRequired: true),
                Argument(name: "p_pinned", kind: .value(.bool)),
                Argument(name: "p_archived", kind: .value(.bool)),
                Argument(name: "p_muted_until", kind: .value(.timestamptz)),
            ]
        case .setReaction:
            [
                Argument(name: "p_message_id", kind: .value(.uuid), isRequired: true),
                Argument(name: "p_symbol", kind: .value(.text), isRequired: true),
                Argument(name: "p_on", kind: .value(.bool)),
            ]
        case .listConversations:
            [
                Argument(name: "p_limit", kind: .value(.int4)),
                Argument(name: "p_before", kind: .value(.timestamptz)),
                Argument(name: "p_before_id", kind: .value(.uuid)),
            ]
        case .searchMessages:
            [
                Argument(name: "p_query", kind: .value(.text), isRequired: true),
                Argument(name: "p_conversation_id", kind: .value(.uuid)),
                Argument(name: "p_limit", kind: .value(.int4)),
                Argument(name: "p_before", kind: .value(.timestamptz)),
            ]
        case .searchProfiles:
            [
                Argument(name: "p_query", kind: .value(.text), isRequired: true),
                Argument(name: "p_limit", kind: .value(.int4)),
            ]
        }
    }
}

/// What a call passes: values by name. An argument that was left out and one that is null differ.
struct FunctionArguments: Sendable {
    private var values: [String: SQLValue] = [:]
    /// The one list a function may take; empty when it was null.
    private(set) var ids: [String] = []

    /// Reads a POST's body.
    /// - Throws: `PGRST202` for an unknown or missing name, `22P02` and its kin for a value of another type.
    init(_ function: Function, body: [UInt8], now: Int64) throws(Refusal) {
        guard let object = try Payload.json(body).object else {
            throw Refusal(400, "PGRST102", "Empty or invalid json")
        }
        try self.init(function, object: object, now: now)
    }

    /// Takes arguments as JSON values.
    init(_ function: Function, object: [String: JSONValue], now: Int64) throws(Refusal) {
        try Self.check(function, Set(object.keys))
        for argument in function.arguments {
            guard let value = object[argument.name] else { continue }
            switch argument.kind {
            case .value(let kind): values[argument.name] = try kind.read(value, now: now)
            case .ids: ids = try Self.ids(value, now: now)
            }
        }
    }

    /// Reads a GET's query.
    init(_ function: Function, query: Query) throws(Refusal) {
        let known = Set(function.arguments.map(\.name))
        try Self.check(function, Set(query.parameters.map(\.name)).intersection(known))
        for argument in function.arguments {
            guard let text = query[argument.name], case .value(let kind) = argument.kind else { continue }
            values[argument.name] = try kind.read(text)
        }
    }

    /// Null when it was left out.
    subscript(_ name: String) -> SQLValue { values[name] ?? .null }

    func text(_ name: String) -> String? { String(sqlValue: self[name]) }
    func integer(_ name: String) -> Int64? { Int64(sqlValue: self[name]) }
    func flag(_ name: String) -> Bool? { integer(name).map { $0 != 0 } }
    /// Whether it was passed at all, null or not.
    func has(_ name: String) -> Bool { values[name] != nil }

    private static func check(_ function: Function, _ given: Set<String>) throws(Refusal) {
        let known = Set(function.arguments.map(\.name))
        let required = Set(function.arguments.filter(\.isRequired).map(\.name))
        guard given.isSubset(of: known), required.isSubset(of: given) else {
            throw unknown(function.rawValue, given)
        }
    }

    static func unknown(_ name: String, _ given: Set<String>) -> Refusal {
        let list = given.sorted().joined(separator: ", ")
        return Refusal(
            404, "PGRST202", "Could not find the function public.\(name)(\(list)) in the schema cache",
            details:
                "Searched for the function public.\(name) with parameters \(list), but no matches were found."
        )
    }

    private static func ids(_ value: JSONValue, now: Int64) throws(Refusal) -> [String] {
        let elements: [JSONValue]
        switch value {
        case .null: return []
        case .array(let list): elements = list
        case .string(let text) where text.hasPrefix("{") && text.hasSuffix("}"):
            elements = text.dropFirst().dropLast().split(separator: ",").map { .string(String($0)) }
        case .string, .bool, .integer, .number, .object:
            throw Refusal(400, "22P02", "malformed array literal")
        }
        var ids: [String] = []
        for element in elements {
            if case .text(let id) = try ColumnKind.uuid.read(element, now: now) { ids.append(id) }
        }
        return ids
    }
}
