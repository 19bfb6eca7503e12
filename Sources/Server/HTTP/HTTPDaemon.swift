import CMicroHTTPD
import Dispatch

/// The HTTP front end: libmicrohttpd's one thread, and a stream of whole requests.
///
/// The thread never waits for an answer: a whole request is suspended, yielded, and taken up again by
/// `Exchange.end`. The stream has no bound of its own, as a connection has at most one request in it.
///
/// Unchecked because of the daemon's handle, which is set once before anything else can see it and used by calls
/// the library allows from any thread.
final class HTTPDaemon: @unchecked Sendable {
    /// Requests, whole, in the order they became so. Ends with `quiesce`.
    let exchanges: AsyncStream<Exchange>
    private let yielding: AsyncStream<Exchange>.Continuation
    private let bodyLimit: Int
    private let budget: BodyBudget
    private let receiver: any BodyReceiver
    private let pauses = Pauses()
    private var handle: OpaquePointer?

    /// The port it listens on.
    var port: UInt16 { handle.map { pl_httpd_port($0) } ?? 0 }

    init(host: String, port: UInt16, limits: ServerLimits, receiver: any BodyReceiver) throws(ServerError) {
        self.receiver = receiver
        bodyLimit = limits.bodyBytes
        budget = BodyBudget(bytes: limits.gatheredBytes)
        (exchanges, yielding) = AsyncStream<Exchange>.makeStream()
        var events = pl_httpd_events(
            context: Unmanaged.passUnretained(self).toOpaque(), began: httpBegan, received: httpReceived,
            completed: httpCompleted, finished: httpFinished, upgraded: httpUpgraded)
        var problem: Int32 = 0
        let connections = UInt32(clamping: limits.connections + limits.sockets)
        handle = pl_httpd_start(host, port, connections, 75, &events, &problem)
        guard handle != nil else { throw Self.error(problem, host, port) }
    }

    private static func error(_ problem: Int32, _ host: String, _ port: UInt16) -> ServerError {
        switch problem {
        case PL_HTTPD_BAD_ADDRESS: .badHost(host)
        case PL_HTTPD_TAKEN: .portTaken(host: host, port: port)
        case PL_HTTPD_NOT_ALLOWED: .portNotAllowed(port)
        case PL_HTTPD_NO_LIBRARY: .libraryMissing
        case PL_HTTPD_NOT_HERE: .addressNotHere(host)
        default: .cannotListen(host: host, port: port)
        }
    }

    /// Stops accepting and ends the stream; requests in it may still be answered.
    func quiesce() {
        if let handle { pl_httpd_quiesce(handle) }
        yielding.finish()
    }

    /// Ends the thread. Every exchange must have ended and every upgraded socket be closed.
    func stop() async {
        guard let handle = self.handle else { return }
        self.handle = nil
        await pauses.close()
        let parcel = Parcel(handle: handle)
        await withCheckedContinuation { continuation in
            // Joins the thread, so not on a thread of the cooperative pool.
            DispatchQueue.global().async {
                pl_httpd_stop(parcel.handle)
                continuation.resume()
            }
        }
    }

    /// 1 loopback, 0 another numeric address, `nil` no numeric address.
    static func isLoopback(_ host: String) -> Bool? {
        switch pl_httpd_is_loopback(host) {
        case 1: true
        case 0: false
        default: nil
        }
    }

    fileprivate func began(_ request: OpaquePointer) -> Int32 {
        let headers = HeaderList(of: request)
        let target = String(cString: pl_httpd_target(request))
        let method = String(cString: pl_httpd_method(request))
        var sink: (any BodySink)?
        var refusal: Answer?
        if receiver.wants(method: method, target: target) {
            let head = IncomingRequest(
                method: method, target: target, headers: headers.all,
                peer: String(cString: pl_httpd_peer(request)))
            switch receiver.reception(of: head) {
            case .gather: break
            case .stream(let taker): sink = taker
            case .refuse(let answer): refusal = answer
            }
        }
        if sink == nil, refusal == nil, let length = headers.contentLength, length > bodyLimit {
            refusal = Answer(413)
        }
        if let refusal {
            refuse(request, refusal)
            return 0
        }
        let exchange = Exchange(handle: request, headers: headers.all, budget: budget, sink: sink)
        pl_httpd_set_token(request, Unmanaged.passRetained(exchange).toOpaque())
        return 1
    }

    private func refuse(_ request: OpaquePointer, _ answer: Answer) {
        HeaderList.withPointers(to: answer.headers) { headers in
            answer.body.withUnsafeBytes { body in
                pl_httpd_refuse(request, Int32(answer.status), headers, body.baseAddress, body.count)
            }
        }
    }

    fileprivate func received(_ request: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let exchange = exchange(of: request) else { return 0 }
        if let sink = exchange.sink { return exchange.stream(bytes, to: sink, pauses) ? 1 : 0 }
        return exchange.append(bytes, limit: bodyLimit) ? 1 : 0
    }

    fileprivate func completed(_ request: OpaquePointer) {
        guard let exchange = exchange(of: request) else { return }
        guard case .enqueued = yielding.yield(exchange) else {
            return exchange.end(.answer(Answer(503)))
        }
    }

    fileprivate func finished(_ request: OpaquePointer) {
        guard let token = pl_httpd_token(request) else { return }
        pl_httpd_set_token(request, nil)
        Unmanaged<Exchange>.fromOpaque(token).release()
    }

    fileprivate func exchange(of request: OpaquePointer) -> Exchange? {
        pl_httpd_token(request).map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Carries the handle to the queue that joins the thread; nobody else has it by then.
private struct Parcel: @unchecked Sendable {
    let handle: OpaquePointer
}

private func daemon(_ context: UnsafeMutableRawPointer?) -> HTTPDaemon? {
    context.map { Unmanaged<HTTPDaemon>.fromOpaque($0).takeUnretainedValue() }
}

private func httpBegan(_ context: UnsafeMutableRawPointer?, _ request: OpaquePointer?) -> Int32 {
    guard let daemon = daemon(context), let request else { return 0 }
    return daemon.began(request)
}

private func httpReceived(
    _ context: UnsafeMutableRawPointer?, _ request: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?,
    _ count: Int
) -> Int32 {
    guard let daemon = daemon(context), let request else { return 0 }
    return daemon.received(request, UnsafeBufferPointer(start: bytes, count: count))
}

private func httpCompleted(_ context: UnsafeMutableRawPointer?, _ request: OpaquePointer?) {
    guard let daemon = daemon(context), let request else { return }
    daemon.completed(request)
}

private func httpFinished(_ context: UnsafeMutableRawPointer?, _ request: OpaquePointer?) {
    guard let daemon = daemon(context), let request else { return }
    daemon.finished(request)
}

private func httpUpgraded(
    _ context: UnsafeMutableRawPointer?, _ request: OpaquePointer?, _ socket: Int32,
    _ extra: UnsafePointer<UInt8>?, _ count: Int, _ upgrade: UnsafeMutableRawPointer?
) {
    guard let daemon = daemon(context), let request, let upgrade else { return }
    let bytes = Array(UnsafeBufferPointer(start: extra, count: count))
    let upgraded = UpgradedSocket(descriptor: socket, initialBytes: bytes, handle: upgrade)
    daemon.exchange(of: request)?.becameSocket(upgraded)
}
