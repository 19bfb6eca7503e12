/// Frames on their way into a socket: many small ones leave in one write.
///
/// The memory stays where it is until all of it is written, and only grows at its end: OpenSSL requires that
/// a write it put off is repeated with the same bytes in the same place. It is given back when nothing waits.
struct OutputBuffer: ~Copyable {
    private static let capacity = 16 << 10

    private var memory: UnsafeMutableRawBufferPointer?
    private var start = 0
    private var end = 0

    deinit {
        memory?.deallocate()
    }

    var count: Int { end - start }

    /// - Returns: How many bytes fitted.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let memory = self.memory ?? .allocate(byteCount: Self.capacity, alignment: 16)
        self.memory = memory
        let fitting = min(bytes.count, memory.count - end)
        guard fitting > 0 else { return 0 }
        memory[end..<end + fitting].copyBytes(from: bytes.prefix(fitting))
        end += fitting
        return fitting
    }

    /// Writes what it can.
    /// - Returns: `.moved` when everything is written.
    mutating func drain(into stream: any ByteStream) -> StreamStep {
        guard let memory else { return .moved(0) }
        while start < end {
            let step = stream.write(UnsafeRawBufferPointer(rebasing: memory[start..<end]))
            guard case .moved(let count) = step else { return step }
            start += count
        }
        memory.deallocate()
        self.memory = nil
        (start, end) = (0, 0)
        return .moved(0)
    }
}
