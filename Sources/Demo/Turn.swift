import FoundationEssentials

/// Decides who answers a message in a conversation. Everybody in it comes to the same answer without asking
/// anyone.
enum Turn {
    /// - Parameter present: The companions in the conversation, in a fixed order.
    /// - Returns: Who answers, first things first. Those called by name; everybody, when all are called; else
    ///   one, and now and then a second.
    static func responders(to text: String, _ id: UUID, among present: [Role], seed: UInt64) -> [Role] {
        guard present.count > 1 else { return present }
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        if words.contains(where: ["everyone", "everybody", "all", "folks"].contains) { return present }
        let called = words.compactMap { word in present.first { $0.callName == word } }
        if !called.isEmpty { return called.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
        var random = SeededRandom(seed: seed ^ hash(id))
        let order = present.shuffled(using: &random)
        return Array(order.prefix(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1))
    }

    /// FNV-1a: `Hasher` differs from run to run.
    private static func hash(_ id: UUID) -> UInt64 {
        withUnsafeBytes(of: id.uuid) { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
    }
}
