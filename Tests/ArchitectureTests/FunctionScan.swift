/// Finds functions, initializers and subscripts with their extent, by counting braces.
struct FunctionScan {
    struct Function: Equatable {
        var name: String
        var line: Int
        var lineCount: Int
        /// A table or one `switch`: long because there is much of the same, not because much happens.
        var isFlat: Bool
    }

    private(set) var functions: [Function] = []
    private let text: [UInt8]
    private var lineOf: [Int] = []

    init(_ code: SwiftCode) {
        text = code.bytes
        var line = 1
        lineOf.reserveCapacity(text.count)
        for byte in text {
            lineOf.append(line)
            if byte == Byte.newline { line += 1 }
        }
        for start in text.indices {
            guard let keyword = keyword(at: start), let open = body(after: start + keyword),
                let close = closing(of: open)
            else { continue }
            functions.append(
                Function(
                    name: name(at: start), line: lineOf[start], lineCount: lineOf[close] - lineOf[start] + 1,
                    isFlat: isFlat(open + 1..<close)))
        }
    }

    private static let declares = ["func", "init", "deinit", "subscript"].map { Array($0.utf8) }
    /// What can only stand behind a declaration that turned out to have no body.
    private static let follows = [
        "func", "init", "var", "let", "static", "mutating", "case", "subscript", "return",
    ]
    .map { Array($0.utf8) }
    private static let switchWord = Array("switch".utf8)

    private func startsWord(_ index: Int) -> Bool {
        Byte.isWord(text[index]) && (index == 0 || !Byte.isWord(text[index - 1]))
    }

    private func word(_ word: [UInt8], at index: Int) -> Bool {
        let end = index + word.count
        guard end <= text.count, text[index] == word[0], end == text.count || !Byte.isWord(text[end]) else {
            return false
        }
        return text[index..<end].elementsEqual(word)
    }

    /// The length of the keyword that declares something here.
    private func keyword(at index: Int) -> Int? {
        guard startsWord(index),
            index == 0 || ![UInt8(ascii: "."), UInt8(ascii: "`")].contains(text[index - 1])
        else { return nil }
        return Self.declares.first { word($0, at: index) }?.count
    }

    private func name(at index: Int) -> String {
        let stop: Set<UInt8> = [Byte.open, Byte.openBrace, Byte.newline, UInt8(ascii: "<")]
        return String(decoding: text[index...].prefix { !stop.contains($0) }, as: UTF8.self)
    }

    /// The brace that opens the body; `nil` for a requirement of a protocol, which has none.
    private func body(after start: Int) -> Int? {
        var depth = 0
        for index in start..<text.count {
            switch text[index] {
            case Byte.open, Byte.openBracket: depth += 1
            case Byte.close, Byte.closeBracket: depth -= 1
            case Byte.openBrace where depth == 0: return index
            case Byte.closeBrace where depth == 0: return nil
            default:
                if depth == 0, startsWord(index), Self.follows.contains(where: { word($0, at: index) }) {
                    return nil
                }
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private func closing(of open: Int) -> Int? {
        var depth = 0
        for index in open..<text.count {
            depth += text[index] == Byte.openBrace ? 1 : text[index] == Byte.closeBrace ? -1 : 0
            if depth == 0 { return index }
        }
        return nil
    }

    /// Flat is a body in which no block but that of one `switch` goes over several lines.
    private func isFlat(_ range: Range<Int>) -> Bool {
        let blocks = range.count { index in
            guard text[index] == Byte.openBrace, let close = closing(of: index) else { return false }
            return lineOf[close] > lineOf[index]
        }
        let switches = range.count { startsWord($0) && word(Self.switchWord, at: $0) }
        return blocks == switches && switches <= 1
    }
}
