import FoundationEssentials

/// Lets the companions talk among themselves in the group now and then. Once everything was said, they are
/// silent.
struct Chatter: Sendable {
    private let pace: Pace
    private let companions: [Companion]
    private let group: UUID

    init(_ companions: [Companion], in group: UUID, pace: Pace) {
        self.companions = companions
        self.group = group
        self.pace = pace
    }

    /// Returns when all talks are over or the task is cancelled.
    func run(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        for talk in Talk.all.shuffled(using: &random) {
            guard await pace.wait(pace.tempo.silence.random(using: &random)) else { return }
            for line in talk.lines {
                guard let speaker = companions.first(where: { $0.role == line.role }) else { continue }
                guard await pace.wait(pace.tempo.reading.random(using: &random)) else { return }
                await speaker.say(line.text, in: group)
            }
        }
    }
}
