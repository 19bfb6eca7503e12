import Terminal

/// Stand-ins for clusters whose width terminals disagree about.
///
/// ncurses gets as many private-use scalars of one column as the cluster has cells: the first names the
/// cluster, the others its further cells. Foreign text cannot hold such scalars, as cleaning drops them. What
/// ncurses moves, scrolls and erases are then ordinary cells, and what it believes is what is on the glass.
struct Placeholders {
    /// Scalars per cluster: the first and at most three more.
    static let stride: UInt32 = 4
    private static let first: UInt32 = 0xF0000
    /// Plane 15 without its two noncharacters.
    private static let capacity = 0xFFFC / 4
    /// Above it the table is emptied with the next full repaint.
    private static let roomy = 4_096

    private var numbers: [Cluster: UInt32] = [:]
    private var clusters: [Cluster] = []

    static func contains(_ scalar: UInt32) -> Bool { scalar >= first }

    /// Whether it stands for a further cell of a cluster.
    static func isFurther(_ scalar: UInt32) -> Bool {
        scalar >= first && scalar < first + UInt32(capacity) * stride && scalar % stride != first % stride
    }

    var isCrowded: Bool { clusters.count > Self.roomy }

    /// Only before a full repaint: what is on the glass keeps its numbers.
    mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
        clusters.removeAll(keepingCapacity: true)
    }

    /// The first placeholder's scalar; the further ones follow it.
    /// - Returns: `nil` when there are more clusters on one screen than placeholders.
    mutating func scalar(for cluster: Cluster) -> UInt32? {
        if let number = numbers[cluster] { return Self.first + number * Self.stride }
        guard clusters.count < Self.capacity else { return nil }
        let number = UInt32(clusters.count)
        clusters.append(cluster)
        numbers[cluster] = number
        return Self.first + number * Self.stride
    }

    /// The cluster a placeholder is for and which of its cells it is, from 0.
    func meaning(of scalar: UInt32) -> (cluster: Cluster, cell: Int)? {
        guard scalar >= Self.first else { return nil }
        let number = Int((scalar - Self.first) / Self.stride)
        guard number < clusters.count else { return nil }
        return (clusters[number], Int((scalar - Self.first) % Self.stride))
    }
}
