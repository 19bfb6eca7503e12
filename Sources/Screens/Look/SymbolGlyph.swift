/// The sign for a reaction: an emoji is itself, an SF Symbol name is drawn as the emoji that means the same.
///
/// A symbol without a known sign shows its name without the variants: `figure.walk` for `figure.walk.fill`.
func glyph(for symbol: String) -> String {
    guard symbol.utf8.allSatisfy({ $0 < 0x80 }) else { return symbol }
    var parts = symbol.split(separator: ".")
    while let last = parts.last, parts.count > 1, variants.contains(String(last)) { parts.removeLast() }
    let name = parts.joined(separator: ".")
    return symbolGlyphs[name] ?? name
}

private let variants: Set<String> = ["fill", "circle", "square", "slash"]

private let symbolGlyphs: [String: String] = [
    "heart": "❤️", "hand.thumbsup": "👍", "hand.thumbsdown": "👎", "star": "⭐", "flame": "🔥",
    "face.smiling": "🙂", "hand.clap": "👏", "hands.clap": "👏", "hand.wave": "👋", "hand.raised": "✋",
    "checkmark": "✅", "xmark": "❌", "exclamationmark": "❗", "exclamationmark.2": "‼️",
    "questionmark": "❓", "eyes": "👀", "party.popper": "🎉", "bolt": "⚡", "sparkles": "✨", "bell": "🔔",
    "flag": "🚩", "crown": "👑", "trophy": "🏆", "gift": "🎁", "lightbulb": "💡", "moon": "🌙",
    "sun.max": "☀️", "pin": "📌", "bookmark": "🔖", "cup.and.saucer": "☕", "leaf": "🍃", "clock": "🕐",
]
