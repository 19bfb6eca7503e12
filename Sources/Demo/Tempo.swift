/// How fast people are.
package struct Tempo: Sendable, Equatable {
    /// From a message's arrival to its being read.
    package var reading: ClosedRange<Duration>
    /// For one character.
    package var stroke: Duration
    /// No message takes less or more to write.
    package var writing: ClosedRange<Duration>
    /// Between two talks among the companions.
    package var silence: ClosedRange<Duration>
    /// Until one of them shows a picture.
    package var opening: Duration

    package init(
        reading: ClosedRange<Duration>, stroke: Duration, writing: ClosedRange<Duration>,
        silence: ClosedRange<Duration>, opening: Duration
    ) {
        self.reading = reading
        self.stroke = stroke
        self.writing = writing
        self.silence = silence
        self.opening = opening
    }

    /// Quicker than people are, so that nobody who tries the program has to wait for them.
    package static let lively = Tempo(
        reading: .milliseconds(500)...(.milliseconds(1_400)), stroke: .milliseconds(38),
        writing: .milliseconds(900)...(.milliseconds(4_000)), silence: .seconds(45)...(.seconds(140)),
        opening: .seconds(2))

    func writing(_ text: String) -> Duration {
        min(max(stroke * text.count, writing.lowerBound), writing.upperBound)
    }
}

extension ClosedRange<Duration> {
    /// Some duration of the range, to the millisecond.
    func random(using random: inout SeededRandom) -> Duration {
        let span = upperBound - lowerBound
        let milliseconds =
            span.components.seconds * 1_000 + span.components.attoseconds / 1_000_000_000_000_000
        return lowerBound + .milliseconds(Int64.random(in: 0...Swift.max(milliseconds, 0), using: &random))
    }
}
