import SQLite
import Testing

@Suite struct SQLFunctionTests {
    @Test func aFunctionTakesAndGivesEveryKindOfValue() throws {
        let connection = try SQLConnection(.memory)
        try connection.define("same", arguments: 1) { $0[0] }
        for value: SQLValue in [
            .null, .integer(-5), .real(1.5), .text("a\"é\u{1F389}"), .text(""), .blob([1, 0, 2]),
        ] {
            let back = try connection.first("SELECT same(?)", [value]) { row in row.value(0) }
            #expect(back == value)
        }
    }

    @Test func aFunctionIsCalledForEachRow() throws {
        let connection = try SQLConnection(.memory)
        try connection.define("is_even", arguments: 1) { arguments in
            guard case .integer(let number) = arguments[0] else { return .null }
            return .integer(number.isMultiple(of: 2) ? 1 : 0)
        }
        let numbers = try connection.query(
            "WITH n (x) AS (VALUES (1), (2), (3), (4)) SELECT x FROM n WHERE is_even(x)"
        ) { row throws(SQLiteError) in try row.get(0, as: Int.self) }
        #expect(numbers == [2, 4])
    }

    @Test func statementsOfManyShapesDoNotPileUp() throws {
        let connection = try SQLConnection(.memory)
        for number in 0..<1_000 {
            let value = try connection.first("SELECT \(number)") { row throws(SQLiteError) in
                try row.get(0, as: Int.self)
            }
            #expect(value == number)
        }
    }
}
