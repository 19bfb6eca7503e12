import CSystem
import Glibc
import Synchronization

/// A wish to end, which a thread waiting in `poll` can see: closing the write end makes the read end
/// readable.
final class Cancellation: Sendable {
    let readEnd: Int32
    private let writeEnd: Mutex<Int32?>

    init() throws(ProgramError) {
        var ends: [Int32] = [-1, -1]
        let code = pl_pipe(&ends)
        guard code == 0 else { throw .cannotStart(code: code) }
        readEnd = ends[0]
        writeEnd = Mutex(ends[1])
    }

    deinit {
        cancel()
        _ = close(readEnd)
    }

    func cancel() {
        writeEnd.withLock { end in
            if let open = end { _ = close(open) }
            end = nil
        }
    }
}
