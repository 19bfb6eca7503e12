import FoundationEssentials
import Models

/// Counts people by what they chose.
enum ReactionGroups {
    /// Groups in the order in which their first reaction came; each person counts once in a group.
    static func groups(of rows: [ReactionRow], me: UUID) -> [Reaction] {
        guard !rows.isEmpty else { return [] }
        var groups: [(sign: ReactionSymbol, symbol: String, people: Set<UUID?>)] = []
        for row in rows.sorted(by: { ($0.version, $0.symbol) < ($1.version, $1.symbol) }) {
            let sign = ReactionSymbol(row.symbol)
            if let index = groups.firstIndex(where: { $0.sign == sign }) {
                groups[index].people.insert(row.userID)
            } else {
                groups.append((sign, row.symbol, [row.userID]))
            }
        }
        return groups.map {
            Reaction(symbol: $0.symbol, byMe: $0.people.contains(me), count: $0.people.count)
        }
    }
}
