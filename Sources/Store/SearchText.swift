/// Words as the search index has them.
///
/// The index finds words between spaces, and no symbol at all: it would see a Chinese or Thai sentence as one
/// word and an emoji as nothing. So each letter of scripts that write no spaces stands alone, and an emoji
/// becomes a word made of its number.
enum SearchText {
    static func indexed(_ text: String) -> String {
        // Nearly all text is Latin: then nothing changes.
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.value == 0 {
                result.append(" ")  // in some tokenizers it would end the text; the words around it are two
            } else if standsAlone(scalar) {
                result.append(" ")
                result.append(scalar)
                result.append(" ")
            } else if isEmoji(scalar) {
                result.append(contentsOf: " ue\(String(scalar.value, radix: 16)) ".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The index's query for what a person typed: every word must occur, the last one may be the beginning of a
    /// word. `nil` when there is no word in it.
    static func query(_ typed: String) -> String? {
        let words = typed.split(whereSeparator: \.isWhitespace).map { word in
            indexed(String(word.unicodeScalars.filter { $0.value != 0 }))
        }
        let quoted = words.filter(hasToken).map { word in
            "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
        }
        guard !quoted.isEmpty else { return nil }
        let lastIsOpen = typed.last.map { !$0.isWhitespace } ?? false
        return quoted.joined(separator: " ") + (lastIsOpen && quoted.last?.endsInWord == true ? "*" : "")
    }

    private static func hasToken(_ word: String) -> Bool {
        word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Han, kana, Hangul-free scripts without spaces: Thai, Lao, Myanmar, Khmer, and the ideographs beyond the
    /// first plane.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
            0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xFF && scalar.properties.isEmoji
    }
}

extension String {
    /// A quoted word that ends in a letter or digit, so that a prefix makes sense.
    fileprivate var endsInWord: Bool {
        dropLast().unicodeScalars.last.map { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            ?? false
    }
}
