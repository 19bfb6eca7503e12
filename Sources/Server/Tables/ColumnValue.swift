import SQLite
import SupabaseWire
import Timestamps

extension ColumnKind {
    /// Reads a value written as text, as a filter or a function's query argument has it.
    /// - Throws: `22P02`, `22007` or `22003`, as PostgreSQL's casts do.
    func read(_ text: String) throws(Refusal) -> SQLValue {
        switch self {
        case .text: return .text(try Self.printable(text))
        case .uuid:
            guard let id = UUIDText.canonical(text) else { throw invalid(text) }
            return .text(id)
        case .bool:
            guard let value = Self.bool(text) else { throw invalid(text) }
            return .integer(value ? 1 : 0)
        case .int4, .int8:
            guard let value = Int64(text.trimmingSpaces()) else { throw invalid(text) }
            guard self == .int8 || Int32(exactly: value) != nil else {
                throw Refusal(400, "22003", "value \"\(text)\" is out of range for type integer")
            }
            return .integer(value)
        case .timestamptz:
            let text = text.trimmingSpaces()
            if text.lowercased() == "infinity" { return .integer(.max) }
            if text.lowercased() == "-infinity" { return .integer(.min) }
            guard let instant = Timestamp(text) else {
                throw Refusal(
                    400, "22007", "invalid input syntax for type timestamp with time zone: \"\(text)\"")
            }
            return .integer(instant.microseconds)
        }
    }

    /// Reads a value of a JSON body. `now` stands for the word `now` in a timestamp.
    func read(_ value: JSONValue, now: Int64) throws(Refusal) -> SQLValue {
        switch value {
        case .null: return .null
        case .string(let text):
            if self == .timestamptz, let special = Self.special(text, now: now) { return .integer(special) }
            return try read(text)
        case .bool(let flag):
            return self == .bool ? .integer(flag ? 1 : 0) : try read(flag ? "true" : "false")
        case .integer(let number): return try read(String(number))
        case .number, .array, .object: return try read(value.jsonText)
        }
    }

    private static func special(_ text: String, now: Int64) -> Int64? {
        switch text.trimmingSpaces().lowercased() {
        case "now": now
        // Ones that every client can read stand for the ends of time.
        case "infinity": Instant.endOfTime
        case "-infinity": Instant.startOfTime
        case "epoch": 0
        default: nil
        }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.trimmingSpaces().lowercased() {
        case "true", "t", "yes", "y", "on", "1": true
        case "false", "f", "no", "n", "off", "0": false
        default: nil
        }
    }

    /// PostgreSQL's text holds no NUL.
    private static func printable(_ text: String) throws(Refusal) -> String {
        guard !text.utf8.contains(0) else {
            throw Refusal(400, "22P05", "unsupported Unicode escape sequence")
        }
        return text
    }

    private func invalid(_ text: String) -> Refusal {
        let name =
            switch self {
            case .uuid: "uuid"
            case .bool: "boolean"
            case .int4: "integer"
            case .int8: "bigint"
            case .text, .timestamptz: rawValue
            }
        return Refusal(400, "22P02", "invalid input syntax for type \(name): \"\(text)\"")
    }
}

extension JSONText {
    /// Adds a stored value the way REST rows and change events print it.
    mutating func column(_ value: SQLValue, _ kind: ColumnKind) {
        switch value {
        case .null: raw("null")
        case .integer(let number):
            switch kind {
            case .bool: raw(number == 0 ? "false" : "true")
            case .timestamptz: string(TimestampText.rest(number))
            case .uuid, .text, .int4, .int8: raw(String(number))
            }
        case .text(let text): string(text)
        case .real(let number): raw("\(number)")
        case .blob: raw("null")
        }
    }
}
