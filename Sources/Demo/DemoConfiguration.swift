import Diagnostics
import SupabaseBackend

/// What a demo is made with.
package struct DemoConfiguration: Sendable {
    /// A folder of the demo's own, in which the companions' sessions are kept while it runs; made when
    /// missing.
    package var folder: String
    package var outage: Outage?
    /// The same seed gives the same small talk.
    package var seed: UInt64
    /// Seconds east of UTC, so that the history was written at sensible hours.
    package var offset: Int
    package var tempo: Tempo
    package var clock: BackendClock
    package var log: Log

    package init(
        folder: String, outage: Outage? = nil, seed: UInt64 = .random(in: .min ... .max), offset: Int = 0,
        tempo: Tempo = .lively, clock: BackendClock = .system, log: Log = .silent
    ) {
        self.folder = folder
        self.outage = outage
        self.seed = seed
        self.offset = offset
        self.tempo = tempo
        self.clock = clock
        self.log = log
    }
}

/// How the person at the screen gets in.
package struct DemoAccount: Sendable, Equatable {
    /// `http://127.0.0.1:port`; with an outage, the address of the link that is cut.
    package let baseURL: String
    package let key: String
    package let email: String
    /// Made for this run.
    package let password: String
    package let displayName: String
}

/// Why there is no demo.
package enum DemoError: Error, Equatable, Sendable {
    /// Its server does not start, or refuses the history; the word is for the log.
    case noServer(String)
    /// The link that is to be cut cannot be made. The number is the system's `errno`.
    case noRelay(code: Int32)
    case alreadyStarted

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .noServer, .noRelay: "The demo's server cannot start on this machine."
        case .alreadyStarted: "The demo runs already."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .noServer, .noRelay: "Close what else listens on this machine, or look into the log."
        case .alreadyStarted: "Close it before you start another one."
        }
    }
}
