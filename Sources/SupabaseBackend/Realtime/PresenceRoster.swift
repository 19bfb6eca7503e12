import FoundationEssentials
import SupabaseWire

/// Who is present in one channel: a whole state once after each join, then differences.
///
/// One person may be there several times, from several connections; each is told from the others by its
/// `phx_ref`. A difference that comes before the state is kept and applied after it.
struct PresenceRoster: Sendable, Equatable {
    private var refs: [String: Set<String>]?
    private var early: [JSONValue] = []

    /// Keys that are no user ids are connections without a person.
    var users: Set<UUID> { Set((refs ?? [:]).keys.compactMap { UUID(uuidString: $0) }) }

    /// Forgets everything: a new join has its own state.
    mutating func reset() {
        refs = nil
        early = []
    }

    mutating func replace(with state: JSONValue) {
        var refs: [String: Set<String>] = [:]
        for (key, entry) in state.object ?? [:] { refs[key] = Self.refs(of: entry) }
        refs = refs.filter { !$0.value.isEmpty }
        self.refs = refs
        let waiting = early
        early = []
        for difference in waiting { apply(difference) }
    }

    mutating func apply(_ difference: JSONValue) {
        guard var refs else {
            // Bounded: a channel whose state never comes must not fill the memory.
            if early.count < 1_000 { early.append(difference) }
            return
        }
        for (key, entry) in difference["joins"]?.object ?? [:] {
            let joined = Self.refs(of: entry)
            if !joined.isEmpty { refs[key, default: []].formUnion(joined) }
        }
        for (key, entry) in difference["leaves"]?.object ?? [:] {
            refs[key]?.subtract(Self.refs(of: entry))
            if refs[key]?.isEmpty ?? false { refs[key] = nil }
        }
        self.refs = refs
    }

    /// What has none stands for no connection, and is nobody.
    private static func refs(of entry: JSONValue) -> Set<String> {
        Set((entry["metas"]?.array ?? []).compactMap { $0["phx_ref"]?.string })
    }
}
