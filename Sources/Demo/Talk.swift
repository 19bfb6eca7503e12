/// A short exchange among the companions, in the group.
struct Talk: Sendable, Equatable {
    let lines: [(role: Role, text: String)]

    init(_ lines: (Role, String)...) { self.lines = lines.map { (role: $0.0, text: $0.1) } }

    static func == (left: Talk, right: Talk) -> Bool {
        left.lines.elementsEqual(right.lines) { $0.role == $1.role && $0.text == $1.text }
    }

    static let all: [Talk] = [
        Talk(
            (.cleo, "Do we need a corkscrew or is that one of your knives, Ben?"),
            (.ben, "It's on the fourth knife. Please don't tell the other three")),
        Talk(
            (.mei, "雨雲レーダー: the rain has moved to the afternoon. We get the whole morning"),
            (.cleo, "I take back everything I said about that cloud"),
            (.ben, "You said a lot about that cloud")),
        Talk(
            (.ben, "The walnut loaf came out looking like a map of Iceland"),
            (.mei, "Photo or it didn't rise"),
            (.ben, "It'll be eaten by people with no respect for cartography")),
        Talk(
            (.cleo, "Bruno has discovered my packed bag and is sitting in it"),
            (.mei, "He's only making sure he's on the list 🐕")),
        Talk(
            (.mei, "How many blankets does \"six mugs\" imply?"),
            (.ben, "In my experience? Two and a towel"),
            (.cleo, "I'll bring the big one. It survived nursing school, it can survive us")),
        Talk(
            (.ben, "Is anybody bringing cards?"),
            (.cleo, "Me! And the dominoes with one missing"),
            (.mei, "We play with the missing one as a ghost. いつも通り")),
        Talk(
            (.cleo, "The radio just played THAT song"),
            (.ben, "No"),
            (.cleo, "It's on the playlist now. Twice")),
        Talk(
            (.mei, "I've charged everything that can be charged, including the fairy lights"),
            (.ben, "We have fairy lights?"),
            (.mei, "We do now ✨")),
    ]
}
