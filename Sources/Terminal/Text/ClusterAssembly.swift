/// Puts allowed scalars together to clusters, from left to right.
///
/// Where something is dropped, what stood on both sides may now be one cluster. So a cluster that is another than it was
/// stays open until what follows is known not to join it. An open cluster is short, so however a text is made, its
/// cost grows with its length and no faster.
struct ClusterAssembly {
    private var clusters: [Cluster] = []
    /// The last cluster, while it is open; empty when there is none.
    private var open: [Unicode.Scalar] = []

    /// - Parameter character: The next of the text, as it was before anything was dropped.
    mutating func add(_ character: Character) {
        let scalars = character.unicodeScalars
        if open.isEmpty, let first = scalars.first,
            scalars.index(after: scalars.startIndex) == scalars.endIndex,
            let cluster = TextCleaner.cluster(of: first)
        {
            clusters.append(cluster)
        } else {
            add([(character, isNew: false)])
        }
    }

    /// All clusters, with the last one.
    mutating func finish() -> [Cluster] {
        var pieces = Array(text(open))
        while pieces.count > 1 {
            open = []
            add(pieces.map { ($0, isNew: true) })
            pieces = Array(text(open))
        }
        close()
        return clusters
    }

    private mutating func add(_ characters: [(Character, isNew: Bool)]) {
        var waiting = Array(characters.reversed())
        while let (character, isNew) = waiting.popLast() {
            guard !open.isEmpty else {
                take(character, isNew: isNew)
                continue
            }
            let pieces = Array(text(open + character.unicodeScalars))
            if pieces.count == 2, pieces[0].unicodeScalars.count == open.count {
                close()
                take(character, isNew: isNew)
            } else {
                open = []
                take(pieces[0], isNew: true)
                waiting += pieces.dropFirst().reversed().map { ($0, isNew: true) }
            }
        }
    }

    private mutating func take(_ character: Character, isNew: Bool) {
        let kept = TextCleaner.trimmed(character.unicodeScalars)
        open = kept
        if !isNew, kept.count == character.unicodeScalars.count { close() }
    }

    private mutating func close() {
        if let cluster = TextCleaner.cluster(of: open) { clusters.append(cluster) }
        open = []
    }

    private func text(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }
}
