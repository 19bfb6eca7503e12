/// The text of a Swift file without what people read: comments and the insides of strings are blanked.
///
/// Lines stay where they were, so a finding can be named by its line. The code inside an interpolation is
/// blanked with its string. Works on bytes: in debug builds characters are fifty times as slow.
struct SwiftCode {
    let bytes: [UInt8]

    init(_ text: String) {
        var blanker = Blanker(Array(text.utf8))
        bytes = blanker.blanked()
    }

    var lines: [String] {
        bytes.split(separator: Byte.newline, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

/// The ASCII that the scans look for.
enum Byte {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let backslash = UInt8(ascii: "\\")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")

    /// Whether the byte can stand in an identifier. Every byte beyond ASCII is taken for a letter.
    static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            || (byte >= 0x30 && byte <= 0x39)
    }
}

/// Walks over the bytes once, keeping code and blanking the rest.
private struct Blanker {
    private let text: [UInt8]
    private var position = 0
    private var output: [UInt8]

    init(_ text: [UInt8]) {
        self.text = text
        output = text
    }

    mutating func blanked() -> [UInt8] {
        while position < text.count {
            switch text[position] {
            case Byte.slash where at(1) == Byte.slash: blankLine()
            case Byte.slash where at(1) == Byte.star: blankComment()
            case Byte.quote, Byte.hash:
                if let hashes = stringStart() { blankString(hashes) } else { position += 1 }
            default: position += 1
            }
        }
        return output
    }

    private func at(_ offset: Int) -> UInt8 {
        position + offset < text.count ? text[position + offset] : 0
    }

    private func are(_ count: Int, _ byte: UInt8, from offset: Int) -> Bool {
        (0..<count).allSatisfy { at(offset + $0) == byte }
    }

    private mutating func blank(_ count: Int = 1) {
        for index in position..<min(position + count, text.count) where text[index] != Byte.newline {
            output[index] = Byte.space
        }
        position += count
    }

    private mutating func blankLine() {
        while position < text.count, text[position] != Byte.newline { blank() }
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            let opens = at(0) == Byte.slash && at(1) == Byte.star
            let closes = at(0) == Byte.star && at(1) == Byte.slash
            depth += opens ? 1 : closes ? -1 : 0
            blank(opens || closes ? 2 : 1)
        } while depth > 0 && position < text.count
    }

    /// The number of `#` before a quote that stands here, `nil` where no string starts.
    private func stringStart() -> Int? {
        var hashes = 0
        while at(hashes) == Byte.hash { hashes += 1 }
        return at(hashes) == Byte.quote ? hashes : nil
    }

    private mutating func blankString(_ hashes: Int) {
        position += hashes
        let quotes = are(3, Byte.quote, from: 0) ? 3 : 1
        position += quotes
        while position < text.count,
            !(are(quotes, Byte.quote, from: 0) && are(hashes, Byte.hash, from: quotes))
        {
            if at(0) == Byte.backslash, are(hashes, Byte.hash, from: 1) {
                blank(1 + hashes)
                if at(0) == Byte.open { blankInterpolation() } else { blank() }
            } else if quotes == 1, at(0) == Byte.newline {
                return  // not closed: the compiler will say so
            } else {
                blank()
            }
        }
        position += quotes + hashes
    }

    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if let hashes = stringStart() {
                let start = position
                blankString(hashes)
                let end = position
                position = start
                blank(end - start)
                continue
            }
            depth += at(0) == Byte.open ? 1 : at(0) == Byte.close ? -1 : 0
            blank()
        } while depth > 0 && position < text.count
    }
}
