/// How much lies unread in a stream, from the sizes of what went in and the number that still waits.
struct UnreadEvents: Sendable {
    private var sizes: [Int] = []
    private var first = 0
    private(set) var bytes = 0
    var count: Int { sizes.count - first }

    mutating func add(_ size: Int, waiting: Int) {
        sizes.append(size)
        bytes += size
        while count > waiting {
            bytes -= sizes[first]
            first += 1
        }
        if first > 4_096, first > sizes.count / 2 {
            sizes.removeFirst(first)
            first = 0
        }
    }
}
