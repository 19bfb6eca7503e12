extension StringProtocol {
    /// Whether nothing of it would be seen: white space, controls, and scalars that draw nothing. Nothing is sent,
    /// and nothing counts as chosen, that is blank.
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
