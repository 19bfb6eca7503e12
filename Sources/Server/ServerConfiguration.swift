import Diagnostics
import Glibc

/// How a server listens, keeps, and limits. The defaults are those of the hosted services.
package struct ServerConfiguration: Sendable {
    /// Where users and messages are kept, made when missing; `nil` keeps everything in memory until `stop`.
    package var directory: String?
    /// A numeric address, or `localhost`.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 0
    /// Allows a host that other machines reach. There is no TLS here: it belongs to a proxy in front, whose
    /// `X-Forwarded-For` is then believed.
    package var allowsWiderListening = false
    /// How long an access token is good for.
    package var accessTokenLifetime: Duration = .seconds(3_600)
    /// How long a spent refresh token is forgiven.
    package var refreshReuseWindow: Duration = .seconds(10)
    /// A session that nobody renewed for this long is over.
    package var sessionIdleLimit: Duration = .seconds(180 * 86_400)
    /// How long a spent refresh token, and a session whose tokens were all revoked, is remembered: its use in that
    /// time ends the session's whole family, later it is a token nobody knows.
    package var spentTokenMemory: Duration = .seconds(30 * 86_400)
    /// A socket silent for this long is closed with 1001.
    package var idleLimit: Duration = .seconds(60)
    package var passwordCost = PasswordCost.interactive
    package var limits = ServerLimits()
    /// Microseconds since 1970 by the wall clock.
    package var now: @Sendable () -> Int64 = { ServerConfiguration.systemNow() }
    package var log: Log = .silent

    package init(directory: String? = nil) {
        self.directory = directory
    }

    /// The system's wall clock, in microseconds since 1970.
    package static func systemNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// How much work one password hash is.
package enum PasswordCost: Sendable {
    /// argon2id with 64 MiB: what an interactive sign-in can bear.
    case interactive
    /// The least the library allows; for tests and for demo accounts that live in memory.
    case least
}

/// Bounds on what clients may take. Counts are per server unless said otherwise.
package struct ServerLimits: Sendable {
    /// Open WebSockets; each is a file of this process.
    package var sockets = 200
    /// HTTP connections beside the sockets.
    package var connections = 1_000
    package var channelsPerSocket = 100
    /// On average; ten times as many at once.
    package var joinsPerSecond = 100
    /// Broadcast and presence messages one socket may send in a second, on average; ten times as many at once.
    package var messagesPerSecond = 100
    /// Presence calls one channel may make in 30 seconds.
    package var presenceCalls = 5
    /// Bytes of one request body.
    package var bodyBytes = 5_000_000
    /// Bytes of one WebSocket message.
    package var frameBytes = 5_000_000
    /// Bytes of one presence's payload.
    package var presenceBytes = 65_536
    /// Bytes of a topic's name.
    package var topicBytes = 255
    /// Entries of one join's `postgres_changes`.
    package var bindingsPerChannel = 100
    /// Bytes of one broadcast's payload.
    package var broadcastBytes = 3_000_500
    /// Bytes waiting for one slow reader before its socket is closed with 1001.
    package var socketQueueBytes = 8_000_000
    /// Rows of one answer; more are cut, as the hosted services do.
    package var rowsPerAnswer = 1_000
    /// What one call may take of the database, which everybody waits for.
    package var statementTime: Duration = .seconds(5)
    /// Bytes of all request bodies that are being read or answered.
    package var gatheredBytes = 64_000_000
    /// Bytes of one stored object.
    package var objectBytes = 52_428_800
    /// Bytes of all objects of one account.
    package var accountBytes: Int64 = 2 << 30
    /// Bytes of all files on the disk; objects of equal content share one.
    package var storedBytes: Int64 = 20 << 30
    /// Bytes that files leave free on the disk, for messages and for whoever else uses it.
    package var freeBytes: Int64 = 256 << 20
    /// Uploads under way at a time, of all and of one user.
    package var uploads = 64
    package var uploadsPerUser = 16
    /// Objects one call may name or list.
    package var objectsPerCall = 1_000
    /// Failed sign-ins of one account, after which one try is let through in a pause that doubles with each, and
    /// the others are answered 429. An address its owner has used may fail as often in `signInWindow`.
    package var failedSignIns = 10
    /// The longest such pause: nobody is locked out.
    package var signInPause: Duration = .seconds(30)
    /// Failed sign-ins of one network address in `signInWindow`, whatever the accounts.
    package var failedSignInsPerAddress = 30
    package var signInWindow: Duration = .seconds(60)

    package init() {}
}

/// Where a started server is reached, and the key its clients present.
package struct ServingAddress: Sendable, Equatable {
    /// `http://host:port`, without a slash at the end.
    package let baseURL: String
    /// JWT of the role `anon`. Not a secret: it only names the project.
    package let publishableKey: String
}
