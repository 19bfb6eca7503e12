// The standard library composes text but has no public name for it yet, and the Foundation that has one is
// not linked.
@_spi(_Unicode) import Swift

/// The rules of `AttachmentFileName`, one after the other.
enum FileNameText {
    /// - Returns: Empty when nothing usable is left.
    static func clean(_ suggested: String) -> String {
        let component =
            suggested.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        guard !component.utf8.contains(0) else { return "" }
        var name = collapsed(scalars(composed(String(component))))
        name = trimmed(name)
        if name.hasPrefix("-") { name = "_" + name }
        if isDevice(name) { name = "_" + name }
        return name
    }

    /// NFC.
    static func composed(_ text: String) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text._nfc)
        return String(view)
    }

    /// The extension with its dot, when it is one: letters and digits, 16 bytes at most. `.tar.gz` is one.
    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let (stem, ending) = splitOnce(name) else { return (name, "") }
        if compressions.contains(ending.lowercased()), let (inner, tar) = splitOnce(stem),
            tar.lowercased() == ".tar"
        {
            return (inner, tar + ending)
        }
        return (stem, ending)
    }

    /// Cut between characters, or inside one only when that alone is longer than the room.
    static func shorten(_ stem: String, to byteLimit: Int) -> String {
        guard stem.utf8.count > byteLimit else { return stem }
        var short = ""
        var count = 0
        for character in stem {
            count += character.utf8.count
            guard count <= byteLimit else { break }
            short.append(character)
        }
        if short.isEmpty { short = shortenInsideCharacter(stem, to: byteLimit) }
        while let last = short.last, last == " " || last == "." { short.removeLast() }
        return short
    }

    // MARK: Parts

    private static let compressions: Set<String> = [".gz", ".bz2", ".xz", ".zst", ".lz", ".lzma", ".z"]
    /// A character with more accents than this is a prank.
    private static let markLimit = 8

    private static func scalars(_ name: String) -> [Unicode.Scalar] {
        let all = Array(name.unicodeScalars)
        var kept: [Unicode.Scalar] = []
        var marks = 0
        for (index, scalar) in all.enumerated() {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark:
                marks += 1
                if marks <= markLimit { kept.append(scalar) }
                continue
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if breaksOrSpaces(scalar) { kept.append(" ") }
            case .format:
                if scalar == "\u{200D}", joinsEmoji(all, at: index) { kept.append(scalar) }
            case .surrogate, .privateUse, .unassigned: break
            default: kept.append(replacement(of: scalar))
            }
            marks = 0
        }
        return kept
    }

    private static func breaksOrSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85: true
        default: scalar.properties.generalCategory != .control
        }
    }

    /// What separates folders or is forbidden on other systems, and what only looks like a slash.
    private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": "_"
        case "\u{2044}", "\u{2215}", "\u{29F8}", "\u{29F5}", "\u{29F9}", "\u{FE68}", "\u{FF0F}", "\u{FF3C}":
            "_"
        default: scalar
        }
    }

    /// A joiner between the parts of one emoji belongs there; elsewhere it is invisible.
    private static func joinsEmoji(_ all: [Unicode.Scalar], at index: Int) -> Bool {
        guard index + 1 < all.count, isPicture(all[index + 1]) else { return false }
        let before = all[..<index].last { $0 != "\u{FE0F}" && !$0.properties.isEmojiModifier }
        return before.map(isPicture) ?? false
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && scalar.value > 0xFF
    }

    private static func collapsed(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        for scalar in scalars where scalar != " " || view.last != " " { view.append(scalar) }
        return composed(String(view))
    }

    /// No hidden file, and nothing that other systems drop at the end. A mark with nothing to stand on goes
    /// too.
    private static func trimmed(_ name: String) -> String {
        var rest = Substring(name).unicodeScalars
        while let first = rest.first, first == " " || first == "." || isMark(first) { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "." { rest.removeLast() }
        return String(rest)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// Names that open a device on Windows, whatever their extension.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.uppercased().reversed().drop { $0 == " " }.reversed()
        let word = String(stem)
        if ["CON", "PRN", "AUX", "NUL"].contains(word) { return true }
        guard word.count == 4, word.hasPrefix("COM") || word.hasPrefix("LPT"), let last = word.last else {
            return false
        }
        return "123456789¹²³".contains(last)
    }

    private static func splitOnce(_ name: String) -> (stem: String, ending: String)? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[dot...].dropFirst()
        guard 1...16 ~= ending.utf8.count, ending.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            return nil
        }
        return (String(name[..<dot]), "." + ending)
    }

    private static func shortenInsideCharacter(_ stem: String, to byteLimit: Int) -> String {
        var view = String.UnicodeScalarView()
        var count = 0
        for scalar in stem.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= byteLimit else { break }
            view.append(scalar)
        }
        return String(view)
    }
}
