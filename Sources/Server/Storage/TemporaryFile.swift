import Glibc
import Synchronization

/// A file that is being written. It is gone with its last reference, unless it was moved to its place.
final class TemporaryFile: Sendable {
    private struct State {
        var descriptor: Int32
        var isMoved = false
    }

    private let path: String
    private let state: Mutex<State>

    init(path: String, descriptor: Int32) {
        self.path = path
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            if !state.isMoved { unlink(path) }
        }
    }

    /// - Throws: `.storageFull`, or `.failed` when the disk did not take the bytes for another reason.
    func append(_ bytes: ArraySlice<UInt8>) throws(StorageFault) {
        let code: Int32 = state.withLock { state in
            bytes.withUnsafeBytes { buffer in
                var rest = buffer[...]
                while !rest.isEmpty {
                    let count = write(
                        state.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return count < 0 ? errno : EIO }
                    rest = rest.dropFirst(count)
                }
                return 0
            }
        }
        guard code == 0 else { throw code == ENOSPC || code == EDQUOT ? .storageFull : .failed }
    }

    /// Brings the content to the disk and closes the file.
    func settle() -> Bool {
        state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            let isSettled = fsync(state.descriptor) == 0
            // What closing could report was reported by the sync.
            close(state.descriptor)
            state.descriptor = -1
            return isSettled
        }
    }

    func move(to place: String) -> Bool {
        state.withLock { state in
            guard rename(path, place) == 0 else { return false }
            state.isMoved = true
            return true
        }
    }
}
