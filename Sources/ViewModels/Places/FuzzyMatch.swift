/// How well a few typed letters fit a name: they have to occur in order, and count for more at the beginnings of
/// words and next to each other.
enum FuzzyMatch {
    /// - Returns: Greater is better; `nil` when the letters do not occur in order. Case does not count.
    static func score(_ query: String, in name: String) -> Int? {
        let wanted = Array(query.lowercased().filter { !$0.isWhitespace })
        guard !wanted.isEmpty else { return 0 }
        let letters = Array(name.lowercased())
        var best: Int?
        for start in letters.indices where letters[start] == wanted[0] {
            if let score = score(wanted, in: letters, from: start) { best = max(best ?? score, score) }
        }
        return best
    }

    /// Takes the nearest next letter each time; trying every beginning makes up for being greedy.
    private static func score(_ wanted: [Character], in letters: [Character], from start: Int) -> Int? {
        var score = 0
        var last = start - 1
        for letter in wanted {
            guard let place = letters[(last + 1)...].firstIndex(of: letter) else { return nil }
            let beginsWord = place == 0 || !letters[place - 1].isLetter && !letters[place - 1].isNumber
            score += beginsWord ? 8 : 0
            score += place == last + 1 && place > start ? 6 : 0
            score -= min(place - last - 1, 4)
            last = place
        }
        return score + (start == 0 ? 4 : 0) - letters.count / 8
    }
}
