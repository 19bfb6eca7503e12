/// How somebody talks. Every text is whole: nothing is put together from parts.
struct Persona: Sendable {
    /// Replies for messages in which one of the words stands.
    struct Topic: Sendable {
        /// In lower case. A word of Latin letters must begin a word of the message; others may stand
        /// anywhere.
        let words: [String]
        let replies: [String]

        init(_ words: [String], _ replies: [String]) {
            self.words = words
            self.replies = replies
        }
    }

    let role: Role
    /// The first that fits is taken.
    let topics: [Topic]
    /// For questions no topic knows.
    let questions: [String]
    /// For long messages no topic knows.
    let longOnes: [String]
    /// For anything else.
    let remarks: [String]
    /// What this person reacts with.
    let symbols: [String]

    static func of(_ role: Role) -> Persona? {
        switch role {
        case .you: nil
        case .ben: ben
        case .cleo: cleo
        case .mei: mei
        }
    }
}
