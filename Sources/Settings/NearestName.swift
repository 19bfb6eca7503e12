/// The known name a misspelt one most likely stands for.
enum NearestName {
    /// - Returns: The closest of `known`, the first of equals; `nil` when none is close: more than one slip
    ///   in every three letters.
    static func of(_ name: String, in known: [String]) -> String? {
        let wanted = Array(name.lowercased())
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = slips(wanted, Array(candidate.lowercased()))
            guard distance <= max(1, max(wanted.count, candidate.count) / 3) else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Letters added, left out, replaced, or two neighbours swapped (optimal string alignment).
    private static func slips(_ left: [Character], _ right: [Character]) -> Int {
        var above: [Int] = []
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            let twoAbove = above
            above = row
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = above[j] + (letter == other ? 0 : 1)
                row[j + 1] = min(replaced, above[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    row[j + 1] = min(row[j + 1], twoAbove[j - 1] + 1)
                }
            }
        }
        return row[right.count]
    }
}
