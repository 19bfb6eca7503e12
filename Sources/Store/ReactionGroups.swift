import FoundationEssentials
import Models

/// Counts people by symbol. Two symbols that differ only in variation selectors are one.
package enum ReactionGroups {
    /// The symbol without U+FE0E and U+FE0F, for comparing; what is stored and sent keeps them.
    package static func folded(_ symbol: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in symbol.unicodeScalars where scalar.value != 0xFE0E && scalar.value != 0xFE0F {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Groups in the order in which their first reaction came; each person counts once in a group.
    static func groups(of rows: [ReactionRow], me: UUID) -> [Reaction] {
        guard !rows.isEmpty else { return [] }
        var groups: [(key: String, symbol: String, people: Set<UUID?>)] = []
        for row in rows.sorted(by: { ($0.version, $0.symbol) < ($1.version, $1.symbol) }) {
            let key = folded(row.symbol)
            if let index = groups.firstIndex(where: { $0.key == key }) {
                groups[index].people.insert(row.userID)
            } else {
                groups.append((key, row.symbol, [row.userID]))
            }
        }
        return groups.map {
            Reaction(symbol: $0.symbol, byMe: $0.people.contains(me), count: $0.people.count)
        }
    }
}
