/// How connections are made. One value serves HTTP and WebSocket.
package struct NetworkConfiguration: Sendable, Equatable {
    /// For connecting: name lookup, TCP, proxy and TLS together.
    package var connectTimeout: Duration
    /// An HTTP transfer without a byte moving for so long is ended.
    package var stallTimeout: Duration
    /// For the answer to a WebSocket upgrade, connecting included.
    package var upgradeTimeout: Duration
    /// Whose certificates are believed.
    package var trust: Trust
    /// Used for every other machine instead of what the environment names; empty means none.
    package var proxy: String?
    /// Whether http and ws may go to other machines than this one.
    package var allowsPlainHTTP: Bool
    /// Sent as User-Agent.
    package var userAgent: String

    package init(
        connectTimeout: Duration = .seconds(10), stallTimeout: Duration = .seconds(20),
        upgradeTimeout: Duration = .seconds(15), trust: Trust = .system, proxy: String? = nil,
        allowsPlainHTTP: Bool = false, userAgent: String = "pingline"
    ) {
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.upgradeTimeout = upgradeTimeout
        self.trust = trust
        self.proxy = proxy
        self.allowsPlainHTTP = allowsPlainHTTP
        self.userAgent = userAgent
    }
}
