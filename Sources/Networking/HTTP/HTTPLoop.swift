import CCurl

/// The network thread: owns the multi handle, the connections and every transfer, and sleeps in
/// `curl_multi_poll` while there is nothing to do.
final class HTTPLoop {
    private let inbox: HTTPInbox
    private var multi: UnsafeMutableRawPointer
    private var isStale = false  // kept connections are not to be used again
    private var active: [ObjectIdentifier: HTTPTransfer] = [:]
    private var spareHandles: [UnsafeMutableRawPointer] = []

    /// Returns when the inbox was told to stop and everything is closed.
    static func run(_ inbox: HTTPInbox) {
        guard CurlLibrary.isReady, let multi = makeMulti() else {
            return inbox.end(refusing: .other(code: 0))
        }
        HTTPLoop(inbox, multi).run()
        inbox.end(refusing: .cancelled)
    }

    private init(_ inbox: HTTPInbox, _ multi: UnsafeMutableRawPointer) {
        self.inbox = inbox
        self.multi = multi
    }

    private static func makeMulti() -> UnsafeMutableRawPointer? {
        guard let multi = curl_multi_init() else { return nil }
        pl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
        pl_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 8)
        return multi
    }

    /// Closes kept connections once nothing uses the handle that keeps them. Until then each transfer
    /// connects anew.
    private func renewIfPossible() {
        guard isStale, active.isEmpty, let fresh = Self.makeMulti() else { return }
        inbox.attach(fresh)
        curl_multi_cleanup(multi)
        multi = fresh
        isStale = false
    }

    private func run() {
        inbox.attach(multi)
        while true {
            let (commands, isStopping) = inbox.take()
            for command in commands { obey(command) }
            renewIfPossible()
            if isStopping { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishDone()
            expire()
            curl_multi_poll(multi, nil, 0, untilNextDeadline(), nil)
        }
        for transfer in active.values { finish(transfer, .failure(.cancelled)) }
        inbox.detach()
        for easy in spareHandles { curl_easy_cleanup(easy) }
        curl_multi_cleanup(multi)
    }

    private func obey(_ command: HTTPCommand) {
        switch command {
        case .start(let ticket, let continuation): start(ticket, continuation)
        case .cancel(let ticket):
            guard let transfer = active[ObjectIdentifier(ticket)] else { return }
            finish(transfer, .failure(.cancelled))
        case .renew:
            isStale = true
            renewIfPossible()
        }
    }

    private func start(_ ticket: HTTPTicket, _ continuation: HTTPContinuation) {
        guard !ticket.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        guard let easy = spareHandles.popLast() ?? curl_easy_init() else {
            return continuation.resume(returning: .failure(.other(code: 0)))
        }
        let transfer: HTTPTransfer
        do {
            transfer = try HTTPTransfer(ticket, easy, continuation, connectsAnew: isStale)
        } catch {
            recycle(easy)
            return continuation.resume(returning: .failure(error))
        }
        active[ObjectIdentifier(ticket)] = transfer
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return finish(transfer, .failure(.other(code: 0)))
        }
    }

    private func finishDone() {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        var context: UnsafeMutableRawPointer?
        while pl_curl_multi_next_done(multi, &easy, &code, &context) == 1 {
            guard let context else { continue }
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            finish(transfer, transfer.result(code))
        }
    }

    /// libcurl's own total timeout does not run while a transfer waits for a connection, and it averages over
    /// seconds before it sees a stall.
    private func expire() {
        let now = ContinuousClock.now
        for transfer in active.values where transfer.deadline <= now {
            finish(transfer, .failure(.timedOut))
        }
    }

    /// Milliseconds to sleep at most. With nothing to do that is an hour: a new command rings anyway.
    private func untilNextDeadline() -> Int32 {
        guard let next = active.values.map(\.deadline).min() else { return 3_600_000 }
        let left = ContinuousClock.now.duration(to: next)
        return Int32(clamping: min(max(left, .zero).wholeMilliseconds, 3_600_000))
    }

    /// The only way out of `active`: the handle leaves libcurl before its callbacks' context may be released.
    private func finish(_ transfer: HTTPTransfer, _ result: HTTPResult) {
        curl_multi_remove_handle(multi, transfer.easy)
        active[ObjectIdentifier(transfer.ticket)] = nil
        recycle(transfer.easy)
        transfer.continuation.resume(returning: result)
    }

    private func recycle(_ easy: UnsafeMutableRawPointer) {
        guard spareHandles.count < 8 else { return curl_easy_cleanup(easy) }
        curl_easy_reset(easy)
        spareHandles.append(easy)
    }
}
