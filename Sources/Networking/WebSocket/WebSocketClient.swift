import Dispatch

/// Opens WebSocket connections to servers.
package enum WebSocketClient {
    /// Connects and upgrades within `configuration.upgradeTimeout`.
    ///
    /// - Parameters:
    ///   - url: ws, wss, http or https.
    ///   - headers: Sent with the upgrade request, besides its own.
    ///   - limits: For the connection that comes of it.
    /// - Throws: `.upgradeRefused` with the server's answer when that is not an upgrade, a redirect included;
    ///   `.protocolViolation` when it only pretends; `.cancelled` as soon as the task is.
    package static func connect(
        url: String, headers: HTTPHeaders = [:], configuration: NetworkConfiguration = NetworkConfiguration(),
        limits: WebSocketLimits = WebSocketLimits()
    ) async throws(NetworkError) -> WebSocketConnection {
        guard headers.areWellFormed else { throw .invalidRequest }
        let ticket = ConnectTicket(deadline: ContinuousClock.now.advanced(by: configuration.upgradeTimeout))
        let executor = QueueExecutor("websocket")
        let result: Result<WebSocketConnection, NetworkError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                executor.queue.async { @Sendable in
                    continuation.resume(
                        returning: open(url, headers, configuration, limits, executor, ticket))
                }
            }
        } onCancel: {
            ticket.cancel()
        }
        return try result.get()
    }

    private static func open(
        _ url: String, _ headers: HTTPHeaders, _ configuration: NetworkConfiguration,
        _ limits: WebSocketLimits,
        _ executor: QueueExecutor, _ ticket: ConnectTicket
    ) -> Result<WebSocketConnection, NetworkError> {
        do throws(NetworkError) {
            let (stream, early) = try upgrade(url, headers, configuration, ticket)
            return .success(
                WebSocketConnection(.client, stream, early: early, limits: limits, executor: executor))
        } catch {
            return .failure(error)
        }
    }

    /// Blocks until the server has answered.
    private static func upgrade(
        _ url: String, _ headers: HTTPHeaders, _ configuration: NetworkConfiguration, _ ticket: ConnectTicket
    ) throws(NetworkError) -> sending (stream: CurlStream, early: [UInt8]) {
        let address = try CurlURL(url)
        try address.checkEncryption(configuration)
        var headers = headers
        if headers["User-Agent"] == nil { headers["User-Agent"] = configuration.userAgent }
        let key = WebSocketHandshake.makeKey()
        let request = WebSocketHandshake.request(
            target: address.target, authority: address.authority, key: key, headers: headers)
        let stream = try CurlStream(address, configuration)
        try stream.connect(ticket)
        let exchange = UpgradeExchange(stream, ticket)
        try exchange.send(request)
        let answer = try exchange.receiveHead()
        guard answer.status == 101 else {
            throw .upgradeRefused(
                HTTPResponse(
                    status: answer.status, headers: answer.headers, body: exchange.refusalBody(answer)))
        }
        guard WebSocketHandshake.isAccepted(answer.headers, key: key, offered: headers) else {
            throw .protocolViolation
        }
        return (stream, exchange.rest)
    }
}
