/// The same numbers for the same seed (SplitMix64).
///
/// `TestSupport` has such a one, too. It comes with the fakes of the whole engine, which have no place in a process whose
/// every job is simulated; and a seed must not mean another world because a test of something else needs a change.
nonisolated struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ limit: Int64) -> Int64 {
        limit > 1 ? Int64(next() % UInt64(limit)) : 0
    }

    /// - Parameter perMille: 0 is never, 1 000 always.
    mutating func happens(_ perMille: Int) -> Bool { below(1_000) < Int64(perMille) }

    /// Any moment of the span.
    mutating func moment(_ span: ClosedRange<Duration>) -> Duration {
        let lower = span.lowerBound.nanoseconds
        return .nanoseconds(lower + below(span.upperBound.nanoseconds - lower + 1))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(below(Int64(elements.count)))]
    }
}

nonisolated extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
