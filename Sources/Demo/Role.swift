/// Who takes part: the person at the screen and three friends.
enum Role: String, CaseIterable, Sendable {
    case you, ben, cleo, mei

    /// Everybody but the person at the screen.
    static let companions: [Role] = [.ben, .cleo, .mei]

    var username: String {
        switch self {
        case .you: "sam"
        case .ben, .cleo, .mei: rawValue
        }
    }

    var displayName: String {
        switch self {
        case .you: "Sam Rivera"
        case .ben: "Ben Okafor"
        case .cleo: "Cleo Marchetti"
        case .mei: "Mei Tanaka"
        }
    }

    /// `example` addresses belong to nobody (RFC 2606).
    var email: String { "\(username)@demo.example" }

    /// What others call them in a sentence.
    var callName: String { username }
}
