/// How a path is written in a line: as it is, spaces and all, or in one of a shell's quotes.
///
/// A plain path needs a backslash only before a backslash, before a blank or a quote at its beginning, and before a
/// blank at its end. Bytes that are no text, and characters that would not be seen, need `$'…'`.
package enum PathText {
    /// The quotes a path stands in.
    enum Style: Hashable, Sendable { case plain, single, double, ansi }

    /// A path that is read from a line, perhaps while it is still written.
    struct Reading: Hashable, Sendable {
        var style: Style
        var bytes: [UInt8]
        /// Whether the quotes are closed; plain text needs none.
        var isClosed: Bool
    }

    /// Reads a whole path. One that only begins like a quoted one is taken as it stands.
    package static func read(_ text: String) -> LocalPath {
        let reading = reading(of: text)
        return LocalPath(bytes: reading.isClosed ? reading.bytes : plain(text).bytes)
    }

    /// - Parameter isTyping: More may come, so blanks at the end count.
    static func reading(of text: String, isTyping: Bool = false) -> Reading {
        let text = Array(text.utf8.drop { $0 == blank })
        if text.starts(with: "$'".utf8) { return ansi(text.dropFirst(2)) }
        switch text.first {
        case quote: return single(text.dropFirst())
        case doubleQuote: return double(text.dropFirst())
        default: return plain(String(decoding: text, as: UTF8.self), keepsEnd: isTyping)
        }
    }

    // MARK: Reading

    private static let blank = UInt8(ascii: " ")
    private static let backslash = UInt8(ascii: "\\")
    private static let quote = UInt8(ascii: "'")
    private static let doubleQuote = UInt8(ascii: "\"")

    private static func plain(_ text: String, keepsEnd: Bool = false) -> Reading {
        var bytes: [UInt8] = []
        var end = 0  // behind the last byte that is no bare blank
        var rest = Array(text.utf8.drop { $0 == blank })[...]
        while let byte = rest.popFirst() {
            if byte == backslash, let next = rest.popFirst() {
                bytes.append(next)
                end = bytes.count
            } else {
                bytes.append(byte)
                if byte != blank { end = bytes.count }
            }
        }
        return Reading(style: .plain, bytes: keepsEnd ? bytes : Array(bytes[..<end]), isClosed: true)
    }

    /// `'it'\''s'`: what is between two quoted parts is read as in plain text.
    private static func single(_ text: ArraySlice<UInt8>) -> Reading {
        var bytes: [UInt8] = []
        var rest = text
        var isInside = true
        while let byte = rest.popFirst() {
            switch byte {
            case quote: isInside.toggle()
            case backslash where !isInside: if let next = rest.popFirst() { bytes.append(next) }
            case blank where !isInside && rest.allSatisfy({ $0 == blank }): rest = []
            default: bytes.append(byte)
            }
        }
        return Reading(style: .single, bytes: bytes, isClosed: !isInside)
    }

    private static func double(_ text: ArraySlice<UInt8>) -> Reading {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == doubleQuote {
                return Reading(style: .double, bytes: bytes, isClosed: rest.allSatisfy { $0 == blank })
            }
            if byte == backslash, let next = rest.first, [backslash, doubleQuote].contains(next) {
                rest.removeFirst()
                bytes.append(next)
            } else {
                bytes.append(byte)
            }
        }
        return Reading(style: .double, bytes: bytes, isClosed: false)
    }

    private static func ansi(_ text: ArraySlice<UInt8>) -> Reading {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case quote:
                return Reading(style: .ansi, bytes: bytes, isClosed: rest.allSatisfy { $0 == blank })
            case backslash: bytes.append(escaped(&rest))
            default: bytes.append(byte)
            }
        }
        return Reading(style: .ansi, bytes: bytes, isClosed: false)
    }

    private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
        guard let letter = rest.popFirst() else { return backslash }
        switch letter {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "e"): return 0x1B
        case UInt8(ascii: "x"):
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let value = UInt8(digits, radix: 16) else { return letter }
            rest = rest.dropFirst(digits.utf8.count)
            return value
        default: return letter
        }
    }

    // MARK: Writing

    /// Writes a path so that `read` gives it back.
    /// - Parameters:
    ///   - style: As it was begun; `$'…'` takes its place where it has to.
    ///   - isOpen: The quotes stay open, for what is still to come.
    static func write(_ bytes: [UInt8], _ style: Style, isOpen: Bool = false) -> String {
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy(isSeen)
        else {
            return "$'" + bytes.map(ansi).joined() + (isOpen ? "" : "'")
        }
        switch style {
        case .plain: return plainText(text, isOpen: isOpen)
        case .single:
            let parts = text.split(separator: "'", omittingEmptySubsequences: false)
            return "'" + parts.joined(separator: #"'\''"#) + (isOpen ? "" : "'")
        case .double: return "\"" + escaping(text) { $0 == "\\" || $0 == "\"" } + (isOpen ? "" : "\"")
        case .ansi: return "$'" + escaping(text) { $0 == "\\" || $0 == "'" } + (isOpen ? "" : "'")
        }
    }

    private static func plainText(_ text: String, isOpen: Bool) -> String {
        let scalars = Array(text.unicodeScalars)
        let end = isOpen ? scalars.count : (scalars.lastIndex { $0 != " " } ?? -1) + 1
        let isLikeQuoted = scalars.starts(with: ["$", "'"])
        var written = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isFirst = index == 0 && ([" ", "'", "\""].contains(scalar) || isLikeQuoted)
            if isFirst || scalar == "\\" || index >= end { written.append("\\") }
            written.append(scalar)
        }
        return String(written)
    }

    private static func escaping(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var written = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isSpecial(scalar) { written.append("\\") }
            written.append(scalar)
        }
        return String(written)
    }

    /// Anything but plain letters, digits and signs as two hexadecimal digits.
    private static func ansi(_ byte: UInt8) -> String {
        switch byte {
        case 0x0A: #"\n"#
        case 0x09: #"\t"#
        case quote, backslash: "\\" + String(UnicodeScalar(byte))
        case 0x20..<0x7F: String(UnicodeScalar(byte))
        default: #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// Whether a character stands in a line as something to be seen, and comes out of it as it went in.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // A joiner inside an emoji is part of what is seen.
        case .format: scalar == "\u{200D}"
        default: true
        }
    }
}
