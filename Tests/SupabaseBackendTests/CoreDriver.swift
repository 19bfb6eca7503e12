import Backend
import FoundationEssentials
import Models
import SupabaseWire

@testable import SupabaseBackend

/// Plays a Realtime server and the passing of time to a `RealtimeCore`, and keeps what came of it.
struct CoreDriver {
    static let me = UUID(uuidString: "3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11") ?? UUID()
    static let room = UUID(uuidString: "6F0D3B0E-58A4-4C4D-9F6B-1F1C2B8A7D10") ?? UUID()
    static let inbox = "realtime:pl:3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11"
    static let roomTopic = "realtime:conversation:6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10"

    var core: RealtimeCore
    var now = Duration.seconds(1_000)
    var sent: [RealtimeFrame] = []
    var emitted: [BackendEvent] = []
    var renewals: [String] = []
    var tokenChecks = 0
    var end: LinkProblem?
    /// Answers heartbeats at once, as a living server does.
    var answersBeats = true

    /// - Parameter tokenCheckAt: Far away unless a test is about it.
    init(held: [UUID] = [], jitter: Double = 1, tokenCheckIn: Duration = .seconds(1_000_000)) {
        core = RealtimeCore(
            userID: Self.me, token: "t1", tokenCheckAt: now + tokenCheckIn, held: held, at: now,
            jitter: { jitter })
        handle(.tick)
    }

    mutating func handle(_ event: RealtimeCore.Event) {
        for effect in core.handle(event, at: now) {
            switch effect {
            case .send(let frame): sent.append(frame)
            case .beat(let frame):
                sent.append(frame)
                if let ref = frame.ref { handle(.written(ref: ref)) }
                if answersBeats { receive("phoenix", "phx_reply", ref: frame.ref, ok) }
            case .emit(let event): emitted.append(event)
            case .deliver: break
            case .checkToken: tokenChecks += 1
            case .renewToken(let token): renewals.append(token)
            case .end(let problem): end = problem
            }
        }
    }

    mutating func receive(_ topic: String, _ event: String, ref: String? = nil, _ payload: JSONValue = [:]) {
        handle(.frame(RealtimeFrame(ref: ref, topic: topic, event: event, payload: payload)))
    }

    /// Lets time pass, ringing at every deadline on the way.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let deadline = core.deadline, deadline <= end {
            now = max(deadline, now)
            handle(.tick)
        }
        now = end
    }

    /// Time jumps, as over a sleep: nothing rang in between.
    mutating func sleep(_ duration: Duration) {
        now += duration
        handle(.tick)
    }

    let ok: JSONValue = ["status": "ok", "response": [:]]

    func refused(_ reason: String) -> JSONValue {
        ["status": "error", "response": ["reason": .string(reason)]]
    }

    func joins(_ topic: String) -> [RealtimeFrame] {
        sent.filter { $0.topic == topic && $0.event == "phx_join" }
    }

    func last(_ event: String, _ topic: String) -> RealtimeFrame? {
        sent.last { $0.topic == topic && $0.event == event }
    }

    var lives: Int { emitted.count { $0 == .live } }

    mutating func acceptJoin(_ topic: String = inbox) {
        receive(topic, "phx_reply", ref: last("phx_join", topic)?.ref, ok)
    }

    mutating func attachFeed(status: JSONValue = "ok") {
        receive(
            Self.inbox, "system",
            [
                "channel": "pl", "extension": "postgres_changes", "status": status,
                "message": "Subscribed to PostgreSQL",
            ])
    }

    mutating func becomeLive() {
        acceptJoin()
        attachFeed()
    }

    mutating func systemError(_ topic: String, _ message: String) {
        receive(
            topic, "system",
            ["channel": "x", "extension": "system", "status": "error", "message": .string(message)])
    }

    mutating func close(_ topic: String) {
        receive(topic, "phx_close", ref: core.channels[topic]?.joinRef)
    }
}
