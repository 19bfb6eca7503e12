import FoundationEssentials
import Terminal

/// How people are told apart by colour in one conversation.
///
/// Everybody has a hue of their own that is the same everywhere and for ever; only where two people of one
/// conversation would share it does the later id take the next that is free.
struct Hues: Equatable {
    private var hues: [UUID: Int] = [:]

    init(_ people: some Sequence<UUID>) {
        var free = Set(0..<Role.senderHues)
        for id in people.sorted() {
            var hue = Self.own(id)
            if free.isEmpty { free = Set(0..<Role.senderHues) }
            while !free.contains(hue) { hue = (hue + 1) % Role.senderHues }
            free.remove(hue)
            hues[id] = hue
        }
    }

    /// The person's colour; dim for somebody whose account is gone.
    func role(_ id: UUID?) -> Role {
        guard let id else { return .dim }
        return .sender(hues[id] ?? Self.own(id))
    }

    private static func own(_ id: UUID) -> Int {
        // FNV-1a: `Hashable`'s own hash differs from run to run.
        let hash = withUnsafeBytes(of: id.uuid) { bytes in
            bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return Int(hash >> 33) % Role.senderHues
    }
}
