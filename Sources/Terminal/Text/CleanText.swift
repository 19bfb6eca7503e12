/// The only text a screen, a window title or a notification can hold.
///
/// Foreign text can be made into it, and nothing else can make one, so raw text cannot get to the terminal:
/// controls become visible pictures; bidi and other format controls, private use and unassigned scalars are
/// dropped; a cluster has at most 8 marks; every cluster has a width that holds in any terminal.
package struct CleanText: Hashable, Sendable {
    /// In reading order.
    package let clusters: [Cluster]
    /// The sum of the clusters' widths.
    package let width: Columns

    package static let empty = CleanText([])

    /// One line: each line break (CR LF counts as one) and each tab becomes a space.
    package init(_ raw: String) {
        self.init(TextCleaner.clusters(of: raw.unicodeScalars[...]))
    }

    init(_ clusters: some Sequence<Cluster>) {
        self.clusters = Array(clusters)
        width = Columns(self.clusters.reduce(0) { $0 + Int($1.cells) })
    }

    package static func blank(_ width: Columns) -> CleanText {
        CleanText(repeatElement(.space, count: max(width.cells, 0)))
    }

    /// Splits at CR LF, CR, LF, VT, FF, NEL, U+2028 and U+2029, and expands tabs to the next multiple of 8.
    /// - Returns: One more than there are breaks; never empty. A break at the end gives an empty last line.
    package static func lines(_ raw: String) -> [CleanText] {
        TextCleaner.lines(of: raw).map { CleanText(TextCleaner.clustersExpandingTabs(in: $0)) }
    }

    package var isEmpty: Bool { clusters.isEmpty }

    /// The text itself. Safe to write to a terminal, not the text that was received.
    package var string: String {
        var text = ""
        text.reserveCapacity(clusters.count)
        for cluster in clusters { text += cluster.text }
        return text
    }

    /// The beginning that fits, by whole clusters.
    /// - Parameters:
    ///   - room: May be 0 or less: nothing fits.
    ///   - ellipsis: Whether a cut shows as `…` in the last cell.
    package func prefix(fitting room: Columns, ellipsis: Bool = false) -> CleanText {
        guard width > room else { return self }
        let marks = ellipsis && room > 0
        let end = clusters[fitting: marks ? room - 1 : room]
        return CleanText(marks ? clusters[..<end] + [.ellipsis] : clusters[..<end])
    }

    /// The end that fits, by whole clusters; for file names and addresses, whose end tells most.
    package func suffix(fitting room: Columns, ellipsis: Bool = false) -> CleanText {
        guard width > room else { return self }
        let marks = ellipsis && room > 0
        var left = marks ? room - 1 : room
        var start = clusters.endIndex
        while start > clusters.startIndex, clusters[start - 1].width <= left {
            start -= 1
            left = left - clusters[start].width
        }
        return CleanText(marks ? [.ellipsis] + clusters[start...] : Array(clusters[start...]))
    }

    package static func + (left: CleanText, right: CleanText) -> CleanText {
        CleanText(left.clusters + right.clusters)
    }
}

extension [Cluster] {
    /// The index before which everything fits into `room`.
    subscript(fitting room: Columns) -> Int {
        var left = room.cells
        for (index, cluster) in enumerated() {
            left -= Int(cluster.cells)
            if left < 0 { return index }
        }
        return count
    }
}
