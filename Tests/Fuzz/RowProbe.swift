import SQLite

@testable import Server

/// Rows full of awkward values, and what a condition finds among them: once by the server's SQL, once by reading it.
///
/// One connection, used by one caller at a time.
final class RowProbe: @unchecked Sendable {
    static let shared = RowProbe()

    private static let table = Table.messages
    private let rows: [StoredRow]
    private let connection: SQLConnection?

    private init() {
        rows = Self.awkwardRows
        connection = Self.connection(rows)
    }

    private static let texts: [SQLValue] = [
        "", "a", "b", "A", "e\u{301}", "\u{E9}", "a,b", "(a)", "%", "_a", "\\", "*", "a\nb", "hello world",
        "\u{1F600}",
        "\"q\"", "null", "0", "\u{212A}",
    ].map { .text($0) }

    private static let awkwardRows: [StoredRow] = {
        let ids = (0..<texts.count).map {
            "00000000-0000-4000-8000-0000000000" + ($0 < 10 ? "0\($0)" : "\($0)")
        }
        let numbers: [SQLValue] = [
            .null, .integer(0), .integer(1), .integer(-1), .integer(.max), .integer(.min),
        ]
        let small: [SQLValue] = [.null, .integer(0), .integer(2_147_483_647), .integer(-5)]
        let times: [SQLValue] = [
            .null, .integer(0), .integer(1_767_225_600_000_000), .integer(.max), .integer(-1),
        ]
        return texts.indices.map { index in
            let values = table.columns.enumerated().map { place, column -> SQLValue in
                let turn = index + place
                let value: SQLValue =
                    switch column.kind {
                    case .uuid: column.isNullable && turn % 3 == 0 ? .null : .text(ids[turn % ids.count])
                    case .text: column.isNullable && turn % 4 == 0 ? .null : texts[turn % texts.count]
                    case .bool: .integer(Int64(turn % 2))
                    case .int4: small[turn % small.count]
                    case .int8: numbers[turn % numbers.count]
                    case .timestamptz: times[turn % times.count]
                    }
                return value == .null && !column.isNullable ? .integer(7) : value
            }
            return StoredRow(table: table, values: values)
        }
    }()

    /// `nil` when SQLite fails, which `problem` then reports.
    private static func connection(_ rows: [StoredRow]) -> SQLConnection? {
        do {
            let connection = try SQLConnection(.memory)
            try TextFunctions.define(on: connection)
            let columns = table.columns.map { column in
                "\"\(column.name)\" " + ([.uuid, .text].contains(column.kind) ? "TEXT" : "INTEGER")
            }
            try connection.execute(
                "CREATE TABLE \(table.rawValue) (place INTEGER PRIMARY KEY, \(columns.joined(separator: ", "))) STRICT"
            )
            let marks = repeatElement("?", count: columns.count + 1).joined(separator: ", ")
            for (place, row) in rows.enumerated() {
                try connection.run(
                    "INSERT INTO \(table.rawValue) VALUES (\(marks))", [.integer(Int64(place))] + row.values)
            }
            return connection
        } catch { return nil }
    }

    /// Where SQL and the plain reading of a condition differ.
    func problem(_ condition: Condition) -> String? {
        guard let connection else { return "the rows could not be stored" }
        let source = Source(Self.table)
        guard let sql = try? condition.sql(on: source, alias: "t") else { return nil }
        guard let found = try? places(sql, connection) else { return "SQLite refuses \(sql.text)" }
        var expected: [Int] = []
        for (place, row) in rows.enumerated() {
            switch PlainReading.outcome(of: condition, in: row) {
            case .success(true): expected.append(place)
            case .success: break
            case .failure: return nil
            }
        }
        return found == expected ? feedProblem(condition) : "\(condition) finds \(found), not \(expected)"
    }

    private func places(_ condition: SQLText, _ connection: SQLConnection) throws -> [Int] {
        try connection.query(
            "SELECT place FROM \(Self.table.rawValue) t WHERE \(condition.text) ORDER BY place",
            condition.values
        ) { row throws(SQLiteError) in try row.get(0, as: Int.self) }
    }

    /// The change feed reads the same comparisons, and must mean the same by them.
    private func feedProblem(_ condition: Condition) -> String? {
        for leaf in condition.leaves {
            guard case .column(let name, let comparison) = leaf else { continue }
            for isNegated in [false, true] {
                let text =
                    QueryWriter.quoted(name) + (isNegated ? "=not." : "=") + QueryWriter.operation(comparison)
                guard let filter = try? ChangeFilter(text, on: Self.table) else { continue }
                for row in rows {
                    guard case .success(let truth) = PlainReading.outcome(of: leaf, in: row) else {
                        return nil
                    }
                    let expected = truth.map { $0 != isNegated } ?? false
                    guard filter.matches(row) == expected else { return "the feed reads \(text) another way" }
                }
            }
        }
        return nil
    }

    /// Everything else of a query makes a statement that SQLite takes.
    func statementProblem(_ query: ReadQuery) -> String? {
        guard let connection else { return "the rows could not be stored" }
        for term in query.order where Self.table.column(term.column) != nil {
            let text = "SELECT place FROM \(Self.table.rawValue) t ORDER BY t.\"\(term.column)\" LIMIT 1"
            guard (try? connection.run(text)) != nil else { return "SQLite refuses \(text)" }
        }
        return nil
    }
}

extension Condition {
    /// The comparisons in it.
    fileprivate var leaves: [Condition] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        case .not(let part): part.leaves
        case .column: [self]
        }
    }
}
