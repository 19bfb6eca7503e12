extension Cluster {
    /// The cluster for a terminal that reads no UTF-8: as many bytes of printable ASCII as it has cells.
    package var ascii: [UInt8] {
        if scalar >= 0x20, scalar < 0x7F { return [UInt8(scalar)] }
        let width = Int(cells)
        if let word = Transliteration.words[text.unicodeScalars.first ?? " "], word.utf8.count == width {
            return Array(word.utf8)
        }
        let letter = text.unicodeScalars.first.flatMap(Transliteration.letter) ?? UInt8(ascii: "?")
        return [letter] + repeatElement(letter == UInt8(ascii: "?") ? letter : 0x20, count: width - 1)
    }
}

/// Rough ASCII for common characters, one for one: the cells must not change.
private enum Transliteration {
    /// What two cells can say.
    static let words: [Unicode.Scalar: String] = [
        "👍": "+1", "👎": "-1", "❤": "<3", "🙂": ":)", "😀": ":D", "😃": ":D", "😄": ":D", "😊": ":)",
        "😂": ":D", "🤣": ":D", "😉": ";)", "🙁": ":(", "😢": ":(", "😭": ":(", "😮": ":o", "😛": ":p",
        "\u{3000}": "  ",
    ]

    static func letter(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0x20...0x7E: UInt8(scalar.value)
        case 0x2500...0x257F: box(scalar)
        case 0xFF01...0xFF5E: UInt8(scalar.value - 0xFF01 + 0x21)
        case 0x2400...0x241F: UInt8(ascii: "^")
        default: table[scalar]
        }
    }

    private static func box(_ scalar: Unicode.Scalar) -> UInt8 {
        switch scalar {
        case "─", "━", "┄", "┅", "┈", "┉", "╌", "╍", "╴", "╶", "╸", "╺", "╼", "╾": UInt8(ascii: "-")
        case "═": UInt8(ascii: "=")
        case "│", "┃", "┆", "┇", "┊", "┋", "╎", "╏", "║", "╵", "╷", "╹", "╻", "╽", "╿": UInt8(ascii: "|")
        default: UInt8(ascii: "+")
        }
    }

    private static let table = Dictionary(
        zip(from.unicodeScalars, to.utf8), uniquingKeysWith: { first, _ in first })

    private static let from =
        "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
        + "ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤť"
        + "ŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž"
        + "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ"
        + "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяІіЇїЄєҐґ"
        + "“”„‘’‚–—―…•·×÷«»‹›←→↑↓⇣⤓✓✔✗✘●○■□▌▐█▸▶◂◀▲▼❤♥★☆©®°±§¡¿€£¥␉\u{2421}"
    private static let to =
        "AAAAAAACEEEEIIIIDNOOOOOOUUUUYTsaaaaaaaceeeeiiiidnoooooouuuuyty"
        + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiJjKkLlLlLlLlNnNnNnOoOoOoOoRrRrRrSsSsSsSsTtTt"
        + "UuUuUuUuUuUuWwYyYZzZzZz"
        + "ABGDEZHTIKLMNXOPRSTYFXPOabgdezhtiklmnxoprsstyfxpoaehioyo"
        + "ABVGDEEZZIJKLMNOPRSTUFHCCSS'Y'EUAabvgdeezzijklmnoprstufhccss'y'euaIiIiEeGg"
        + "\"\"\"'''---.*.x/<><><>^vvvvvxx*o##|#|>><<^v<<**cr~+s!?ELY^^"
}
