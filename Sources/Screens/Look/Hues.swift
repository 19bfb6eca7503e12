import FoundationEssentials
import Terminal

/// How people are told apart by colour in one conversation.
///
/// Everybody has a hue of their own that is the same everywhere and for ever; only where two people of one
/// conversation would share it, or its bright half on a terminal of 16 colours, does the later id take the next
/// that is free. Beyond six people the bright halves are used, too, and beyond twelve all of them again.
struct Hues: Equatable {
    private var hues: [UUID: Int] = [:]

    init(_ people: some Sequence<UUID>) {
        var free = Set(0..<Role.senderHues)
        for id in people.sorted() {
            if free.isEmpty { free = Set(0..<Role.senderHues) }
            let own = Self.own(id)
            let nearest = (0..<Role.senderHues).map { (own + $0) % Role.senderHues }.filter(free.contains)
            let hue = nearest.first { free.contains(Self.otherHalf(of: $0)) } ?? nearest.first ?? own
            free.remove(hue)
            hues[id] = hue
        }
    }

    /// The plain one of a bright hue, and the other way round.
    private static func otherHalf(of hue: Int) -> Int {
        (hue + Role.plainSenderHues) % Role.senderHues
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
