import SQLite
import Timestamps

@testable import Server

extension FuzzTarget {
    /// Query strings: what is taken says the same when it is written again, and SQL finds for it the rows that a plain
    /// reading of the conditions finds.
    static let rest = FuzzTarget(
        "rest",
        words: [
            "select=", "order=", "limit=", "offset=", "and=", "or=(", "not.", "eq.", "neq.", "gt.", "gte.",
            "lt.", "lte.",
            "like.", "ilike.", "match.", "imatch.", "in.(", "is.null", "is.not_null", "isdistinct.",
            "fts(simple).",
            "plfts.", "phfts.", "wfts.", "(any).{", "(all).{", ".desc.nullsfirst", "::text", "!inner", "%22",
            "%00", "\\",
            "id", "body", "created_at", "sender_id", "attachment_size", "deleted_at", "is_group", "infinity",
            "&",
            "\u{301}", "%CC%81", "on_conflict=", "columns=",
        ],
        workPerByte: 200_000,
        seeds: {
            [
                "select=id,body,sender:profiles!messages_sender_id_fkey(id,username)&order=created_at.desc,id.desc&limit=50",
                "or=(created_at.lt.2026-01-01T00:00:00Z,and(created_at.eq.2026-01-01T00:00:00Z,body.lt.b))",
                "body=like.*a*&attachment_size=gte.5&deleted_at=is.null", "body=in.(\"a,b\",\"q\\\"\\\\\",c)",
                "not.and=(body.eq.a,or(attachment_size.is.null,attachment_size.not.in.(1,2)))",
                "body=not.match.^a.*b$",
                "body=wfts.hello -world \"a phrase\" or x",
                "body=eq(any).{a,b,\"c,d\"}&select=*,reactions!inner(symbol)",
                "reactions.order=created_at&select=id,reactions(*)&reactions.removed_at=is.null&offset=1&columns=id,body",
                "body=isdistinct.\u{E9}&body=in.(e\u{301},x)",
                "created_at=lt.infinity&edited_at=isdistinct.infinity",
            ].map { Array($0.utf8) }
        },
        check: { input in
            let query = Query(input.text)
            guard let read = try? ReadQuery(query) else { return refusal(of: query) }
            if let finding = sameAgain(read) { return finding }
            return RowProbe.shared.problem(read.condition) ?? RowProbe.shared.statementProblem(read)
        })

    private static func sameAgain(_ read: ReadQuery) -> String? {
        let parts = [read.condition] + read.embeds.map(\.condition)
        guard !parts.contains(where: \.hasEmptyGroup) else { return nil }
        let again = QueryWriter.text(read)
        guard let second = try? ReadQuery(Query(again)) else { return "\(again) is refused" }
        return Same.query(second, read) ? nil : "\(again) is read as \(second), not \(read)"
    }

    /// A refusal is the client's fault, never the server's.
    private static func refusal(of query: Query) -> String? {
        do {
            _ = try ReadQuery(query)
            return "taken the second time"
        } catch {
            return (400..<500).contains(error.status) || error.status == 300
                ? nil : "refused with \(error.status)"
        }
    }
}

/// Equality by scalars: to Swift two spellings of an accented letter are one.
enum Same {
    static func query(_ one: ReadQuery, _ other: ReadQuery) -> Bool {
        "\(one.plain)".utf8.elementsEqual("\(other.plain)".utf8)
    }
}

extension ReadQuery {
    /// Without groups of one, which say no more than what is in them.
    fileprivate var plain: ReadQuery {
        var query = self
        query.condition = condition.plain
        query.items = items.map { item in
            guard case .embed(var embed) = item else { return item }
            embed.condition = embed.condition.plain
            return .embed(embed)
        }
        return query
    }
}

extension Condition {
    fileprivate var plain: Condition {
        switch self {
        case .all(let parts):
            let plain = parts.map(\.plain)
            return plain.count == 1 ? plain[0] : .all(plain)
        case .any(let parts):
            let plain = parts.map(\.plain)
            return plain.count == 1 ? plain[0] : .any(plain)
        case .not(let part): return .not(part.plain)
        case .column: return self
        }
    }

    /// Whether there is a list of no values in it, which cannot be written as a group.
    fileprivate var hasEmptyGroup: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.isEmptyGroup || $0.hasEmptyGroup }
        case .not(let part): part.isEmptyGroup || part.hasEmptyGroup
        case .column: false
        }
    }

    private var isEmptyGroup: Bool { self == .all([]) || self == .any([]) }
}

/// Writes a query as PostgREST's documentation has it, everything quoted that may be.
enum QueryWriter {
    static func text(_ query: ReadQuery) -> String {
        var parts = ["select=" + encoded(query.items.map(item).joined(separator: ","))]
        if case .all(let conditions) = query.condition {
            for condition in conditions { parts.append("and=" + encoded("(" + member(condition) + ")")) }
        }
        parts += orders(query.order).map { "order=" + $0 }
        parts += query.limit.map { ["limit=\($0)"] } ?? []
        if query.offset > 0 { parts.append("offset=\(query.offset)") }
        parts +=
            query.onConflict.map { ["on_conflict=" + encoded($0.map(quoted).joined(separator: ","))] } ?? []
        parts += query.columns.map { ["columns=" + encoded($0.map(quoted).joined(separator: ","))] } ?? []
        for embed in query.embeds { parts += own(embed) }
        return parts.joined(separator: "&")
    }

    private static func own(_ embed: Embed) -> [String] {
        let prefix = encoded(embed.name) + "."
        var parts = orders(embed.order).map { prefix + "order=" + $0 }
        parts += embed.limit.map { [prefix + "limit=\($0)"] } ?? []
        if embed.offset > 0 { parts.append(prefix + "offset=\(embed.offset)") }
        if case .all(let conditions) = embed.condition {
            for condition in conditions {
                parts.append(prefix + "and=" + encoded("(" + member(condition) + ")"))
            }
        }
        return parts
    }

    private static func encoded(_ text: String) -> String { PercentText.encode(text) }

    private static func orders(_ terms: [OrderTerm]) -> [String] {
        guard !terms.isEmpty else { return [] }
        let words = terms.map { term in
            quoted(term.column) + (term.isDescending ? ".desc" : ".asc")
                + (term.nullsFirst.map { $0 ? ".nullsfirst" : ".nullslast" } ?? "")
        }
        return [encoded(words.joined(separator: ","))]
    }

    private static func item(_ item: SelectItem) -> String {
        switch item {
        case .all: return "*"
        case .column(let name, let alias, let cast):
            return (alias.map { quoted($0) + ":" } ?? "") + quoted(name)
                + (cast.map { "::" + quoted($0) } ?? "")
        case .embed(let embed):
            let hints = (embed.hint.map { "!" + quoted($0) } ?? "") + (embed.isInner ? "!inner" : "")
            return (embed.alias.map { quoted($0) + ":" } ?? "") + quoted(embed.target) + hints
                + "(" + embed.items.map(self.item).joined(separator: ",") + ")"
        }
    }

    /// A condition as a member of a group. A group of none cannot be written; only a list of no values makes one.
    static func member(_ condition: Condition) -> String {
        switch condition {
        case .all(let parts): "and(" + parts.map(member).joined(separator: ",") + ")"
        case .any(let parts): "or(" + parts.map(member).joined(separator: ",") + ")"
        case .not(.not(let inner)): "not.and(" + member(.not(inner)) + ")"
        case .not(.column(let name, let comparison)): quoted(name) + ".not." + operation(comparison)
        case .not(let inner): "not." + member(inner)
        case .column(let name, let comparison): quoted(name) + "." + operation(comparison)
        }
    }

    static func operation(_ comparison: Comparison) -> String {
        switch comparison {
        case .order(let order, let value): order.rawValue + "." + quoted(value)
        case .isDistinct(let value): "isdistinct." + quoted(value)
        case .like(let pattern, let ignoresCase): (ignoresCase ? "ilike." : "like.") + quoted(pattern)
        case .match(let pattern, let ignoresCase): (ignoresCase ? "imatch." : "match.") + quoted(pattern)
        case .among(let values): "in.(" + values.map(quoted).joined(separator: ",") + ")"
        case .state(let state): "is." + state.rawValue
        case .search(let syntax, let text): syntax.rawValue + "." + quoted(text)
        }
    }

    static func quoted(_ text: String) -> String {
        var words = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { words.append("\\") }
            words.append(scalar)
        }
        words.append("\"")
        return String(words)
    }
}
