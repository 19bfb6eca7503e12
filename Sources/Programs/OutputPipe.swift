import CSystem
import Glibc

/// What a program writes to one of its descriptors, up to a limit.
struct OutputPipe: ~Copyable {
    /// To be polled; -1 once the program has closed its end, which `poll` passes over.
    private(set) var descriptor: Int32 = -1
    private(set) var bytes: [UInt8] = []
    /// More came than was to be kept.
    private(set) var hasOverflowed = false

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// - Returns: The end for the program, to be closed here once it runs.
    mutating func open() throws(ProgramError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        let code = pl_pipe(&ends)
        guard code == 0 else { throw .cannotStart(code: code) }
        _ = pl_set_nonblocking(ends[0])
        descriptor = ends[0]
        return ends[1]
    }

    /// Takes what is there, a quarter of a megabyte at most, so that nobody who writes without end holds us
    /// here. What goes beyond `limit` is read, so that the program does not block, and dropped.
    mutating func read(keeping limit: Int) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<16 where descriptor >= 0 {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return end() }
            let room = limit - bytes.count
            bytes += chunk.prefix(min(count, room))
            if count > room { hasOverflowed = true }
        }
    }

    private mutating func end() {
        _ = close(descriptor)
        descriptor = -1
    }
}
