import Networking

/// Sends one request and waits for its answer; `HTTPClient`, or a script in a test.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse
}

/// Opens a WebSocket; `WebSocketClient`, or a script in a test.
package protocol SocketTransport: Sendable {
    /// - Parameter url: Absolute, ws or wss.
    /// - Throws: `.upgradeRefused` with the server's answer when it has one.
    func open(_ url: String) async throws(NetworkError) -> any SocketConnection
}

/// An open WebSocket of text frames.
package protocol SocketConnection: Sendable {
    /// What the server sends, in order; ends after `.closed`. One reader.
    var events: AsyncStream<WebSocketEvent> { get }
    /// Returns when the frame is on its way to the kernel.
    func send(text: String) async throws(NetworkError)
    /// Closes in good order, without waiting for it.
    func end() async
}

/// The two ways to a server.
package struct SupabaseNetwork: Sendable {
    package var http: any HTTPTransport
    package var sockets: any SocketTransport

    package init(http: any HTTPTransport, sockets: any SocketTransport) {
        self.http = http
        self.sockets = sockets
    }

    /// The network of this machine.
    package static func system(_ configuration: NetworkConfiguration = NetworkConfiguration())
        -> SupabaseNetwork
    {
        SupabaseNetwork(
            http: HTTPClient(configuration), sockets: WebSocketTransport(configuration: configuration))
    }
}

extension HTTPClient: HTTPTransport {}

extension WebSocketConnection: SocketConnection {
    package func end() { close() }
}

/// WebSockets over libcurl.
private struct WebSocketTransport: SocketTransport {
    let configuration: NetworkConfiguration

    func open(_ url: String) async throws(NetworkError) -> any SocketConnection {
        try await WebSocketClient.connect(url: url, configuration: configuration)
    }
}
