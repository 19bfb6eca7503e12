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
