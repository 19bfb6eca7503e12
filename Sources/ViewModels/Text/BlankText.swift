extension StringProtocol {
    /// Whether nothing of it would be seen: white space, controls, and scalars that draw nothing.
    ///
    /// `isDefaultIgnorableCodePoint` has the zero-width and filler scalars (U+200B, U+FEFF, U+3164); the
    /// Braille blank U+2800 is a symbol to Unicode and has to be named.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.generalCategory == .control || scalar == "\u{2800}"
        }
    }

    /// The text without white space at its end. An indent at the beginning is kept.
    package var trimmedAtEnd: String {
        var end = endIndex
        while end > startIndex {
            let before = index(before: end)
            guard self[before].isWhitespace else { break }
            end = before
        }
        return String(self[..<end])
    }
}

extension String {
    /// The text with every kind of line break as one line feed: CR LF, CR, VT, FF, NEL, U+2028, U+2029.
    package var withPlainLineBreaks: String {
        var plain = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            defer { last = scalar }
            switch scalar {
            case "\n" where last == "\r": continue
            case "\r", "\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": plain.append("\n")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    /// The text without control characters; line feeds and tabs stay.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter {
                    $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
                }))
    }
}
