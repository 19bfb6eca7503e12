/// Finds what a person says to a message: the same seed and the same messages give the same words.
struct ReplyBook: Sendable {
    private let persona: Persona
    private var random: SeededRandom
    /// What was said lately, not to be said again soon.
    private var lately: [String] = []

    private static let memory = 12
    /// Characters from which a message is a long one.
    private static let longLength = 240

    init(_ persona: Persona, seed: UInt64) {
        self.persona = persona
        random = SeededRandom(seed: seed)
    }

    mutating func reply(to text: String) -> String {
        let pool = pool(for: text)
        let fresh = pool.filter { !lately.contains($0) }
        // Everything was said already: then the oldest of it comes again.
        let chosen =
            fresh.randomElement(using: &random) ?? lately.first { pool.contains($0) } ?? persona.remarks[0]
        lately.removeAll { $0 == chosen }
        lately.append(chosen)
        if lately.count > Self.memory { lately.removeFirst() }
        return chosen
    }

    /// A reaction, to one message in five.
    mutating func reaction() -> String? {
        Int.random(in: 0..<5, using: &random) == 0 ? persona.symbols.randomElement(using: &random) : nil
    }

    private func pool(for text: String) -> [String] {
        let lower = text.lowercased()
        let words = Set(lower.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init))
        if text.count < Self.longLength,
            let topic = persona.topics.first(where: { Self.fits($0, words: words, text: lower) })
        {
            return topic.replies
        }
        if text.count >= Self.longLength { return persona.longOnes }
        return text.contains("?") || text.contains("？") ? persona.questions : persona.remarks
    }

    /// A greeting counts only in a short message: `hi` opens many that are about something else.
    private static func fits(_ topic: Persona.Topic, words: Set<String>, text: String) -> Bool {
        topic.words.contains { word in
            word.allSatisfy(\.isASCII)
                ? words.contains(word) || words.contains(word + "s") : text.contains(word)
        }
    }
}
