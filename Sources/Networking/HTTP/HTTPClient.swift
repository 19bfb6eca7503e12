import Synchronization

/// Sends HTTP requests over kept-alive connections, HTTP/2 where the server offers it.
///
/// One thread of its own owns every connection; requests from any number of tasks run side by side. Redirects
/// are never followed, certificates always verified, and the proxy variables of the environment are respected
/// except for this machine. When the client is released its connections close, as by `close()`.
package final class HTTPClient: Sendable {
    private let configuration: NetworkConfiguration
    private let inbox: HTTPInbox

    package init(_ configuration: NetworkConfiguration = NetworkConfiguration()) {
        self.configuration = configuration
        inbox = HTTPInbox()
    }

    deinit {
        inbox.stop()
    }

    /// Sends a request and waits for the whole answer, of whatever status.
    ///
    /// A cancelled task ends the transfer at once with `.cancelled`; whether the server has seen the request
    /// is then unknown. A kept-alive connection that turns out dead before an answer began is replaced once
    /// by libcurl, so a request may reach a server twice unless it asks for `onNewConnection`.
    /// - Throws: `.cancelled` also after `close()`.
    package func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard request.headers.areWellFormed, HTTPSyntax.isToken(request.method.rawValue) else {
            throw .invalidRequest
        }
        try CurlURL(request.url).checkEncryption(configuration)
        let ticket = HTTPTicket(request, configuration)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { inbox.post(.start(ticket, $0)) }
        } onCancel: {
            ticket.cancel()
            inbox.post(.cancel(ticket))
        }
        return try result.get()
    }

    /// After sleep or a change of network: requests from here on use new connections, for a kept one may lead
    /// nowhere without anybody having noticed. Those under way go on.
    package func renewConnections() {
        inbox.post(.renew)
    }

    /// Ends every transfer with `.cancelled` and closes the connections; later requests are refused the same
    /// way.
    package func close() {
        inbox.stop()
    }

    /// As `close()`, and returns when the thread and its connections are gone.
    package func closeAndWait() async {
        inbox.stop()
        await inbox.waitUntilEnded()
    }
}

/// One request on its way to the network thread and back.
final class HTTPTicket: Sendable {
    let request: HTTPRequest
    let configuration: NetworkConfiguration
    private let cancelled = Atomic(false)

    init(_ request: HTTPRequest, _ configuration: NetworkConfiguration) {
        self.request = request
        self.configuration = configuration
    }

    /// A cancellation may overtake its start: the mark stays on the ticket, so nothing has to be remembered.
    func cancel() { cancelled.store(true, ordering: .relaxed) }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
}
