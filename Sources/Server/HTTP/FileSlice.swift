import Glibc
import Synchronization

/// A file open for reading; closed when the last reference goes, unless it was given away.
final class OpenFile: Sendable {
    private let descriptor: Atomic<Int32>

    init(descriptor: Int32) { self.descriptor = Atomic(descriptor) }

    /// The descriptor, whose owner is now the caller; -1 the second time.
    func giveAway() -> Int32 { descriptor.exchange(-1, ordering: .relaxed) }

    deinit {
        let left = giveAway()
        if left >= 0 { close(left) }
    }
}

/// Part of an open file, in bytes.
struct FileSlice: Sendable {
    let file: OpenFile
    let offset: UInt64
    let count: UInt64
}
