import FoundationEssentials
import Synchronization

/// How far the file of one message has come, in bytes.
package struct TransferProgress: Sendable, Hashable {
    package var moved: Int64
    package var total: Int64

    package init(moved: Int64, total: Int64) {
        self.moved = moved
        self.total = total
    }
}

/// The uploads under way, by message. Progress is told on the network's thread, and needs no turn of the engine.
final class Transfers: Sendable {
    let streams = Broadcast<[UUID: TransferProgress]>(state: [:])
    private let current = Mutex<[UUID: TransferProgress]>([:])

    /// - Parameter progress: `nil`: it has ended.
    func set(_ messageID: UUID, _ progress: TransferProgress?) {
        // Sent under the lock, so that what is told last is what is.
        current.withLock { current in
            current[messageID] = progress
            streams.send(current)
        }
    }
}
