import SQLite
import Timestamps

/// Prints rows of an answer as JSON or CSV.
struct RowText {
    /// Leaves null members out.
    var stripsNulls = false

    func json(_ rows: [OutputRow]) -> [UInt8] {
        var writer = JSONText()
        writer.list(rows) { add($1, to: &$0) }
        return writer.bytes
    }

    func json(_ row: OutputRow) -> [UInt8] {
        var writer = JSONText()
        add(row, to: &writer)
        return writer.bytes
    }

    /// With a line of names first, as PostgreSQL's COPY prints them.
    func csv(_ rows: [OutputRow]) -> [UInt8] {
        guard let first = rows.first else { return [] }
        var lines = [first.members.map { Self.quoted($0.name) }.joined(separator: ",")]
        for row in rows { lines.append(row.members.map { field($0.value) }.joined(separator: ",")) }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private func add(_ row: OutputRow, to writer: inout JSONText) {
        let members = stripsNulls ? row.members.filter { !$0.value.isNull } : row.members
        writer.object(members) { add($1, to: &$0) }
    }

    private func add(_ value: OutputRow.Value, to writer: inout JSONText) {
        switch value {
        case .scalar(let value, let kind): writer.column(value, kind)
        case .words(.null, _): writer.raw("null")
        case .words(let value, let kind): writer.string(Self.words(value, kind))
        case .object(let row): if let row { add(row, to: &writer) } else { writer.raw("null") }
        case .list(let rows): writer.list(rows) { add($1, to: &$0) }
        }
    }

    private func field(_ value: OutputRow.Value) -> String {
        switch value {
        case .scalar(.null, _), .words(.null, _), .object(nil): return ""
        case .scalar(let value, let kind), .words(let value, let kind):
            return Self.quoted(Self.words(value, kind))
        case .object, .list:
            var writer = JSONText()
            add(value, to: &writer)
            return Self.quoted(writer.text)
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }

    /// A value as PostgreSQL's cast to text has it: a space in the date, hours only in the zone.
    private static func words(_ value: SQLValue, _ kind: ColumnKind) -> String {
        switch value {
        case .null, .blob: return ""
        case .text(let text): return text
        case .real(let number): return "\(number)"
        case .integer(let number):
            switch kind {
            case .bool: return number == 0 ? "false" : "true"
            case .timestamptz:
                let text = TimestampText.rest(number)
                return String(text.map { $0 == "T" ? " " : $0 }.dropLast(3))
            case .uuid, .text, .int4, .int8: return String(number)
            }
        }
    }
}

extension OutputRow.Value {
    fileprivate var isNull: Bool {
        switch self {
        case .scalar(let value, _), .words(let value, _): value == .null
        case .object(let row): row == nil
        case .list: false
        }
    }
}
