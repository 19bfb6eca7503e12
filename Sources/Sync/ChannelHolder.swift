import Backend
import FoundationEssentials
import Synchronization

/// Brings the channels joined at the service in line with those that are wanted.
///
/// Each channel is joined and left in turn, never both at once; one that was wanted and let go while a call was
/// under way costs no further call.
final class ChannelHolder: Sendable {
    private struct State {
        var wanted: Set<UUID> = []
        var held: Set<UUID> = []
        var busy: Set<UUID> = []
        var isClosed = false
    }

    private let backend: any ChatBackend
    private let state = Mutex(State())

    init(backend: any ChatBackend) { self.backend = backend }

    func hold(_ wanted: Set<UUID>) {
        let changed = state.withLock { state in
            guard !state.isClosed else { return Set<UUID>() }
            state.wanted = wanted
            let changed = wanted.symmetricDifference(state.held).subtracting(state.busy)
            state.busy.formUnion(changed)
            return changed
        }
        for id in changed { Task { await settle(id) } }
    }

    /// The backend leaves all channels when its link ends.
    func close() { state.withLock { $0.isClosed = true } }

    private func settle(_ id: UUID) async {
        while let joins = nextStep(id) {
            if joins { await backend.joinChannel(of: id) } else { await backend.leaveChannel(of: id) }
        }
    }

    /// - Returns: Whether to join or leave; `nil` when nothing is left to do.
    private func nextStep(_ id: UUID) -> Bool? {
        state.withLock { state in
            let isWanted = state.wanted.contains(id)
            guard isWanted != state.held.contains(id), !state.isClosed else {
                state.busy.remove(id)
                return nil
            }
            if isWanted { state.held.insert(id) } else { state.held.remove(id) }
            return isWanted
        }
    }
}
