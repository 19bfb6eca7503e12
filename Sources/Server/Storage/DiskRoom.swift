import Glibc
import Synchronization

/// How much the files of all objects take on the disk, and what may still come.
///
/// An upload is promised its room before its body is read, so that many at a time do not together take what each of
/// them alone could have. The disk is others' too: what is free there is looked at again while bytes come.
final class DiskRoom: Sendable {
    private struct State {
        /// Bytes of the files in their places.
        var used: Int64 = 0
        /// Bytes that uploads under way may take.
        var promised: Int64 = 0
        /// Those of them that are not yet on the disk.
        var unwritten: Int64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int64
    private let reserve: Int64
    private let free: @Sendable () -> Int64?

    /// - Parameters:
    ///   - limit: Bytes of all files together.
    ///   - reserve: Bytes of the disk that are left to everything else.
    ///   - free: Bytes that are free on the disk; `nil` when it does not say.
    init(limit: Int64, reserve: Int64, free: @escaping @Sendable () -> Int64?) {
        self.limit = limit
        self.reserve = reserve
        self.free = free
    }

    /// Bytes of the files in their places.
    var used: Int64 { state.withLock { $0.used } }

    /// Room for an upload of so many bytes.
    /// - Throws: `.storageFull` when there is none.
    func promise(_ bytes: Int64) throws(StorageFault) -> RoomPromise {
        guard take(bytes) else { throw .storageFull }
        return RoomPromise(self, bytes)
    }

    /// A file has come to its place, or left it.
    func count(_ bytes: Int64) { state.withLock { $0.used += bytes } }

    /// Whether the disk still has what was promised on it.
    var isEnough: Bool {
        let unwritten = state.withLock { $0.unwritten }
        return free().map { $0 - unwritten >= reserve } ?? true
    }

    fileprivate func take(_ bytes: Int64) -> Bool {
        let free = free()
        return state.withLock { state in
            guard state.used + state.promised + bytes <= limit else { return false }
            if let free, free - state.unwritten - bytes < reserve { return false }
            state.promised += bytes
            state.unwritten += bytes
            return true
        }
    }

    fileprivate func wrote(_ bytes: Int64) { state.withLock { $0.unwritten -= bytes } }

    fileprivate func giveBack(_ bytes: Int64, unwritten: Int64) {
        state.withLock { state in
            state.promised -= bytes
            state.unwritten -= unwritten
        }
    }

    /// Bytes that whoever runs this process may still write to the disk of a folder.
    static func free(at folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}

/// The room of one upload; given back with the last reference.
final class RoomPromise: Sendable {
    private struct State {
        var promised: Int64
        var unwritten: Int64
        /// Bytes written since the disk was looked at.
        var unchecked: Int64 = 0
    }

    /// What a body without a length takes at a time, and how often the disk is looked at.
    private static let step: Int64 = 4 << 20
    private let room: DiskRoom
    private let state: Mutex<State>

    fileprivate init(_ room: DiskRoom, _ bytes: Int64) {
        self.room = room
        state = Mutex(State(promised: bytes, unwritten: bytes))
    }

    /// So many bytes are about to be written.
    /// - Throws: `.storageFull` when the disk, or the room for all files, does not have them any more.
    func use(_ bytes: Int64) throws(StorageFault) {
        try state.withLock { state throws(StorageFault) in
            if state.unwritten < bytes {
                let more = max(bytes - state.unwritten, Self.step)
                guard room.take(more) else { throw .storageFull }
                state.promised += more
                state.unwritten += more
            }
            state.unwritten -= bytes
            room.wrote(bytes)
            state.unchecked += bytes
            guard state.unchecked >= Self.step else { return }
            state.unchecked = 0
            guard room.isEnough else { throw .storageFull }
        }
    }

    deinit { state.withLock { room.giveBack($0.promised, unwritten: $0.unwritten) } }
}
