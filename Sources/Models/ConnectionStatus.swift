import FoundationEssentials

/// How the link to a service is. `LinkDetail` beside it has the rest.
package enum ConnectionStatus: String, Sendable, Hashable, Codable {
    case disconnected, connecting, connected
}

/// What the banner tells about a link, beside its status.
package struct LinkDetail: Sendable, Hashable {
    /// Failed tries since the link was last healthy; 0 while it is.
    package var attempt: Int
    /// Why the last try or the link ended; `nil` when nothing went wrong.
    package var reason: LinkProblem?
    /// When the next try starts by itself; `nil` while connected, trying, or waiting for the user.
    package var nextTryAt: Date?
    /// Operations that wait to be sent.
    package var waitingCount: Int

    package init(attempt: Int = 0, reason: LinkProblem? = nil, nextTryAt: Date? = nil, waitingCount: Int = 0)
    {
        self.attempt = attempt
        self.reason = reason
        self.nextTryAt = nextTryAt
        self.waitingCount = waitingCount
    }
}

/// Why a link is down.
package enum LinkProblem: Sendable, Hashable {
    /// No way to the server: no network, connection refused.
    case unreachable
    /// Nobody knows the server's name.
    case noSuchName
    /// The server was reached and said it cannot serve now.
    case serverUnavailable
    /// The link fell silent or broke.
    case lost
    /// Something on the way answers in the server's place: a login page.
    case intercepted
    /// The server cannot show that it is who it should be; the words say what is wrong with its certificate.
    case certificate(UserCopy)
    /// What answers does not speak TLS, or not with us.
    case noEncryption
    /// This machine cannot tell whom to trust: a named file is no use, or there are no authorities.
    case trust(UserCopy)
    /// The session is over; only signing in again helps.
    case signedOut
    /// The server does not speak to this client or key; trying again does not help.
    case refused
    /// The kept session cannot be read here: there is nothing to show to the server.
    case sessionUnreadable
    /// libcurl is not on this machine: nothing can be reached.
    case libraryMissing

    /// Whether the engine tries again by itself.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .noSuchName, .serverUnavailable, .lost, .intercepted, .certificate, .noEncryption,
            .sessionUnreadable:
            true
        case .signedOut, .refused, .trust, .libraryMissing: false
        }
    }

    /// The least time between two tries, for what somebody has to mend first: trying often only makes noise. `nil`:
    /// as often as for any lost link.
    package var pace: Duration? {
        switch self {
        case .certificate: .seconds(60)
        // The sign-in of a network is mended in a minute, and asking it often may look like an attack.
        case .intercepted: .seconds(15)
        case .unreachable, .noSuchName, .serverUnavailable, .lost, .noEncryption, .trust, .signedOut,
            .refused,
            .sessionUnreadable, .libraryMissing:
            nil
        }
    }

    package var userCopy: UserCopy {
        switch self {
        case .unreachable: UserCopy("The server cannot be reached.", next: "Check the network.")
        case .noSuchName:
            UserCopy(
                "The server's name is not found.",
                next: "Check the network and the address. A paused Supabase project has no name either.")
        case .serverUnavailable:
            UserCopy("The server is not available.", next: "It is tried again by itself.")
        case .lost: UserCopy("The connection was lost.", next: "It is tried again by itself.")
        case .intercepted:
            UserCopy("Something on the way answers for the server.", next: "Sign in to this network first.")
        case .certificate(let words), .trust(let words): words
        case .noEncryption:
            UserCopy("No encrypted connection comes about.", next: "Check the address and its port.")
        case .signedOut: UserCopy("You are signed out.", next: "Sign in again; what you typed is kept.")
        case .refused:
            UserCopy("The server refuses this program.", next: "Check the account's address and key.")
        case .sessionUnreadable:
            UserCopy("The kept session cannot be read.", next: "Check Pingline's folder, or update Pingline.")
        case .libraryMissing:
            UserCopy("libcurl is missing on this machine.", next: "Install the package libcurl4.")
        }
    }
}
