/// A filter as the query string gave it: columns by name, values still text.
indirect enum Condition: Sendable, Equatable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case column(String, Comparison)

    /// True for every row.
    static let always = Condition.all([])

    /// How many comparisons it holds.
    var size: Int {
        switch self {
        case .column: 1
        case .not(let part): part.size
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.size }
        }
    }
}

/// What one column is compared with.
enum Comparison: Sendable, Equatable {
    enum Order: String, Sendable { case eq, neq, gt, gte, lt, lte }
    enum State: String, Sendable {
        case null, unknown
        case notNull = "not_null"
        case isTrue = "true"
        case isFalse = "false"
    }
    /// Whether one value of a list is enough, or all are needed.
    enum Quantifier: String, Sendable { case any, all }

    case order(Order, String)
    case isDistinct(String)
    /// `%` and `_` are wild, `*` was turned into `%`.
    case like(String, ignoresCase: Bool)
    case match(String, ignoresCase: Bool)
    case among([String])
    case state(State)
    case search(TextQuery.Syntax, String)
}
