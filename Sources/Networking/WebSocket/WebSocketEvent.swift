/// What comes out of a WebSocket connection, in the order of arrival.
package enum WebSocketEvent: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
    /// The last event; nothing can be sent any more.
    case closed(WebSocketClose)
}

/// How a connection ended.
package struct WebSocketClose: Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        /// The peer closed in good order; `code` and `reason` are its own.
        case peer
        /// `close` or `enqueueClose` was called here.
        case local
        /// The stream of bytes ended or broke without a closing frame.
        case lost
        /// The peer broke the protocol (1002) or sent text that is not UTF-8 (1007).
        case protocolViolation
        /// The peer sent a message larger than the limit (1009).
        case messageTooLarge
        /// More arrived than the reader of `events` took, in bytes or messages (1008).
        case readerTooSlow
        /// The peer did not take what was sent to it, or `cut` was called.
        case cut
    }

    package var cause: Cause
    /// The closing code that went over the wire in either direction; 1005 when the peer gave none, 1006 when
    /// no closing frame was seen.
    package var code: UInt16
    /// The peer's words, at most 123 bytes. Untrusted text.
    package var reason: String

    package init(_ cause: Cause, code: UInt16 = 1006, reason: String = "") {
        self.cause = cause
        self.code = code
        self.reason = reason
    }
}

/// How much a connection holds, in bytes unless said otherwise.
package struct WebSocketLimits: Sendable, Equatable {
    /// The largest message taken; a larger one closes the connection with 1009.
    package var message: Int
    /// What may have arrived without being taken from `events`.
    package var unread: Int
    /// How many messages may have arrived without being taken.
    package var unreadMessages: Int
    /// Callers of `send` wait above this, until half of it is left.
    package var sendWait: Int
    /// Frames queued without any room for them in the socket: above this the connection is cut.
    package var unsent: Int
    /// From our closing frame until the connection ends without the peer's.
    package var closeTimeout: Duration

    package init(
        message: Int = 8 << 20, unread: Int = 16 << 20, unreadMessages: Int = 65_536, sendWait: Int = 1 << 20,
        unsent: Int = 32 << 20, closeTimeout: Duration = .seconds(2)
    ) {
        self.message = message
        self.unread = unread
        self.unreadMessages = unreadMessages
        self.sendWait = sendWait
        self.unsent = unsent
        self.closeTimeout = closeTimeout
    }
}
