import CMicroHTTPD
import Synchronization

/// Bytes of the bodies that all requests hold together.
final class BodyBudget: Sendable {
    private let left: Mutex<Int>

    init(bytes: Int) { left = Mutex(bytes) }

    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard left >= count else { return false }
            left -= count
            return true
        }
    }

    func giveBack(_ count: Int) { left.withLock { $0 += count } }
}

/// A request on its way through the daemon: it gathers on the daemon's thread, is answered from any other.
///
/// Unchecked because of the handle. The library keeps it until the request was answered, and `end` is the last
/// use of it; a request that is never answered would hold its connection for ever, so whoever reads the stream
/// of exchanges ends every one.
final class Exchange: @unchecked Sendable {
    private struct Gathering {
        var body: [UInt8] = []
        var take: (@Sendable (UpgradedSocket) -> Void)?
        var isEnded = false
        /// Whoever takes the body wants no more of it.
        var isBroken = false
    }

    private let handle: OpaquePointer
    private let method: String
    private let target: String
    private let headers: [(name: String, value: String)]
    private let peer: String
    private let gathering = Mutex(Gathering())
    private let budget: BodyBudget
    /// What takes the body when it is not gathered here.
    let sink: (any BodySink)?

    init(
        handle: OpaquePointer, headers: [(name: String, value: String)], budget: BodyBudget,
        sink: (any BodySink)? = nil
    ) {
        self.handle = handle
        self.budget = budget
        self.sink = sink
        self.headers = headers
        method = String(cString: pl_httpd_method(handle))
        target = String(cString: pl_httpd_target(handle))
        peer = String(cString: pl_httpd_peer(handle))
    }

    deinit { budget.giveBack(gathering.withLock { $0.body.count }) }

    /// The whole request; called once its body is in.
    func request() -> IncomingRequest {
        IncomingRequest(
            method: method, target: target, headers: headers, body: gathering.withLock { $0.body }, peer: peer
        )
    }

    /// Takes a piece of the body.
    /// - Returns: `false` when that would be more than `limit` bytes, or than all requests together may hold.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        gathering.withLock { gathering in
            guard gathering.body.count + bytes.count <= limit, budget.take(bytes.count) else { return false }
            gathering.body.append(contentsOf: bytes)
            return true
        }
    }

    /// Hands a piece of the body to the sink; the connection rests until it was taken.
    /// - Returns: `false` when no more is wanted.
    func stream(_ bytes: UnsafeBufferPointer<UInt8>, to sink: any BodySink, _ pauses: Pauses) -> Bool {
        guard !gathering.withLock({ $0.isBroken }), pauses.begin() else { return false }
        pl_httpd_pause(handle)
        sink.take(Array(bytes)) { [self] goesOn in
            if !goesOn { gathering.withLock { $0.isBroken = true } }
            pl_httpd_resume(handle)
            pauses.end()
        }
        return true
    }

    /// Sends the answer. Only the first call counts.
    func end(_ ending: Ending) {
        let isFirst = gathering.withLock { gathering in
            defer { gathering.isEnded = true }
            if case .upgrade(_, let take) = ending, !gathering.isEnded { gathering.take = take }
            return !gathering.isEnded
        }
        guard isFirst else { return }
        switch ending {
        case .answer(let answer):
            HeaderList.withPointers(to: answer.headers) { headers in
                answer.body.withUnsafeBytes { body in
                    pl_httpd_answer(handle, Int32(answer.status), headers, body.baseAddress, body.count)
                }
            }
        case .file(let answer, let slice):
            HeaderList.withPointers(to: answer.headers) { headers in
                pl_httpd_answer_file(
                    handle, Int32(answer.status), headers, slice.file.giveAway(), slice.offset, slice.count)
            }
        case .upgrade(let accept, _): pl_httpd_answer_upgrade(handle, accept)
        }
    }

    /// Called on the daemon's thread once the connection is a plain socket.
    func becameSocket(_ socket: UpgradedSocket) {
        let take = gathering.withLock { gathering in
            defer { gathering.take = nil }
            return gathering.take
        }
        take?(socket)
    }
}
