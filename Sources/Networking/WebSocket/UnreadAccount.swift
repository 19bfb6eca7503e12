/// Counts what a stream's reader has not taken yet.
///
/// `AsyncStream` does not say when an element is taken, but it does say how many are buffered after each one
/// is added; the sizes of the last ones then add up to the bytes it holds.
struct UnreadAccount {
    private var sizes: [Int] = []  // a queue: oldest at `first`
    private var first = 0
    private(set) var bytes = 0

    /// - Parameter buffered: How many elements the stream holds now, the one just added included.
    mutating func add(_ size: Int, buffered: Int) {
        sizes.append(size)
        bytes += size
        while sizes.count - first > buffered {
            bytes -= sizes[first]
            first += 1
        }
        if first > 1_024, first * 2 > sizes.count {
            sizes.removeFirst(first)
            first = 0
        }
    }
}
