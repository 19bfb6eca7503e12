import CCurl
import Glibc
import Synchronization

typealias HTTPResult = Result<HTTPResponse, NetworkError>
typealias HTTPContinuation = CheckedContinuation<HTTPResult, Never>

/// What the network thread is asked to do.
enum HTTPCommand: Sendable {
    case start(HTTPTicket, HTTPContinuation)
    case cancel(HTTPTicket)
    case renew
}

/// Where tasks leave commands for the network thread. The thread starts with the first one.
final class HTTPInbox: Sendable {
    /// libcurl allows this pointer in `curl_multi_wakeup` from any thread, and it is used for nothing else
    /// here.
    private struct Bell: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private enum Phase {
        case idle, running, ended
    }

    private struct State {
        var commands: [HTTPCommand] = []
        var isStopping = false
        var phase = Phase.idle
        var bell: Bell?
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func post(_ command: HTTPCommand) {
        let verdict: (isRefused: Bool, startsThread: Bool) = state.withLock { state in
            guard !state.isStopping else { return (true, false) }
            state.commands.append(command)
            if let bell = state.bell { curl_multi_wakeup(bell.multi) }
            guard state.phase == .idle else { return (false, false) }
            state.phase = .running
            return (false, true)
        }
        if verdict.isRefused { Self.refuse(command, .cancelled) }
        if verdict.startsThread { startThread() }
    }

    func stop() {
        let waiters = state.withLock { state in
            state.isStopping = true
            if let bell = state.bell { curl_multi_wakeup(bell.multi) }
            if state.phase == .idle { state.phase = .ended }
            return state.phase == .ended ? Self.takeWaiters(&state) : []
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitUntilEnded() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let hasEnded = state.withLock { state in
                if state.phase != .ended { state.endWaiters.append(continuation) }
                return state.phase == .ended
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// On the network thread: from now on `post` wakes it. What came in since the last `take` rang the handle
    /// before this one, which nobody polls any more, so it is rung again here.
    func attach(_ multi: UnsafeMutableRawPointer) {
        let bell = Bell(multi: multi)
        state.withLock { state in
            state.bell = bell
            if state.isStopping || !state.commands.isEmpty { curl_multi_wakeup(bell.multi) }
        }
    }

    /// On the network thread: what came in since the last time, and whether to end.
    func take() -> (commands: [HTTPCommand], isStopping: Bool) {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            return (commands, state.isStopping)
        }
    }

    /// On the network thread, before it frees what `attach` was given.
    func detach() {
        state.withLock { $0.bell = nil }
    }

    /// On the network thread, as its last act: refuses what came too late and lets `waitUntilEnded` return.
    func end(refusing error: NetworkError) {
        let (commands, waiters) = state.withLock { state in
            state.isStopping = true
            state.phase = .ended
            let commands = state.commands
            state.commands = []
            return (commands, Self.takeWaiters(&state))
        }
        for command in commands { Self.refuse(command, error) }
        for waiter in waiters { waiter.resume() }
    }

    private static func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.endWaiters = [] }
        return state.endWaiters
    }

    private static func refuse(_ command: HTTPCommand, _ error: NetworkError) {
        switch command {
        case .start(_, let continuation): continuation.resume(returning: .failure(error))
        case .cancel, .renew: break
        }
    }

    private func startThread() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                HTTPLoop.run(Unmanaged<HTTPInbox>.fromOpaque(context).takeRetainedValue())
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return end(refusing: .other(code: code))
        }
        pthread_detach(thread)
    }
}
