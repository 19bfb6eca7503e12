/// What a reaction's symbol stands for. One sign has several forms: with and without variation selectors, as an
/// emoji and as the name of an SF Symbol. Whoever chose any of them chose the same.
///
/// Forms are for comparing only: what is stored and sent keeps its own. Skin tones make signs of their own.
package struct ReactionSymbol: Sendable, Hashable {
    /// The same for every form; empty for what shows nothing.
    private let key: String

    package init(_ form: String) {
        key = Self.withoutSelectors(Self.sign(of: form))
    }

    /// Nothing would be seen of it: it is no reaction.
    package var isBlank: Bool { key.isBlank }

    /// What is drawn for a form: an emoji is itself, an SF Symbol name is the emoji that means the same.
    ///
    /// A name without a known sign is drawn as it is, without the variants: `figure.walk` for `figure.walk.fill`.
    package static func sign(of form: String) -> String {
        guard form.utf8.allSatisfy({ $0 < 0x80 }) else { return form }
        var parts = form.split(separator: ".")
        while let last = parts.last, parts.count > 1, variants.contains(String(last)) { parts.removeLast() }
        let name = parts.joined(separator: ".")
        return signs[name] ?? name
    }

    /// What is offered first wherever a reaction is chosen: names that the Apple clients of a service use, too.
    package static let tapbacks = [
        "heart.fill", "hand.thumbsup", "hand.thumbsdown", "face.smiling", "exclamationmark", "questionmark",
    ]

    /// The most code points of a form that services take.
    private static let limit = 16

    /// The names that can be sent and have a sign, and those of the tapbacks in place of their plain forms; in
    /// alphabetical order.
    package static let names: [String] = {
        let taken = Set(tapbacks.map { ReactionSymbol($0) })
        let others = signs.keys.filter { !taken.contains(ReactionSymbol($0)) && $0.count <= limit }
        return (tapbacks + others).sorted()
    }()

    /// The form that somebody means who typed `text`: an emoji, or a name or a part of one, such as `thumbsup`.
    /// - Returns: `nil` when there is no such sign.
    package static func form(typed text: String) -> String? {
        if let only = text.first, text.count == 1, !only.isASCII, !only.isLetter, !text.isBlank {
            return text.unicodeScalars.count <= limit ? text : nil
        }
        let name = text.lowercased()
        let known = tapbacks + names
        return known.first { $0 == name } ?? known.first { ReactionSymbol($0) == ReactionSymbol(name) }
            ?? known.first { $0.split(separator: ".").contains(Substring(name)) }
    }

    private static func withoutSelectors(_ sign: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in sign.unicodeScalars where scalar != "\u{FE0E}" && scalar != "\u{FE0F}" {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static let variants: Set<String> = ["fill", "circle", "square", "slash"]

    private static let signs: [String: String] = [
        "heart": "❤️", "hand.thumbsup": "👍", "hand.thumbsdown": "👎", "star": "⭐", "flame": "🔥",
        "face.smiling": "🙂", "hand.clap": "👏", "hands.clap": "👏", "hand.wave": "👋", "hand.raised": "✋",
        "checkmark": "✅", "xmark": "❌", "exclamationmark": "❗", "exclamationmark.2": "‼️",
        "questionmark": "❓", "eyes": "👀", "party.popper": "🎉", "bolt": "⚡", "sparkles": "✨", "bell": "🔔",
        "flag": "🚩", "crown": "👑", "trophy": "🏆", "gift": "🎁", "lightbulb": "💡", "moon": "🌙",
        "sun.max": "☀️", "pin": "📌", "bookmark": "🔖", "cup.and.saucer": "☕", "leaf": "🍃", "clock": "🕐",
    ]
}
