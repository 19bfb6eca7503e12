/// What one character of a regular expression takes.
indirect enum CharacterTest: Sendable {
    case any
    case range(Unicode.Scalar, Unicode.Scalar)
    case digit, word, space, letter, letterOrDigit, upper, lower, punctuation
    case oneOf([CharacterTest])
    case not(CharacterTest)

    func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: true
        case .range(let first, let last): first <= scalar && scalar <= last
        case .digit: scalar.properties.numericType == .decimal
        case .word: Self.isWord(scalar)
        case .space: scalar.properties.isWhitespace
        case .letter: scalar.properties.isAlphabetic
        case .letterOrDigit: scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        case .upper: scalar.properties.isUppercase
        case .lower: scalar.properties.isLowercase
        case .punctuation: scalar.isASCII && !Self.isWord(scalar) && scalar.value > 0x20 && scalar != "\u{7F}"
        case .oneOf(let tests): tests.contains { $0.takes(scalar) }
        case .not(let test): !test.takes(scalar)
        }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
    }
}

indirect enum RegularExpressionTree {
    case empty
    case take(CharacterTest)
    case at(RegularExpression.Place)
    case sequence([RegularExpressionTree])
    case choice([RegularExpressionTree])
    case repeated(RegularExpressionTree, least: Int, most: Int?)
}

/// Reads a regular expression into a tree.
struct RegularExpressionParser {
    private static let repeatLimit = 255
    private static let depthLimit = 50
    private let scalars: [Unicode.Scalar]
    /// The text will be in lower case. The pattern is not: `\\S` and `\\s` are two things.
    private let ignoresCase: Bool
    private var index = 0
    private var depth = 0

    init(_ pattern: String, ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    mutating func parse() throws(Refusal) -> RegularExpressionTree {
        let tree = try choice()
        guard index == scalars.count else { throw .badExpression("parentheses () not balanced") }
        return tree
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[index...].starts(with: wanted) else { return false }
        index += wanted.count
        return true
    }

    private mutating func pop() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        return scalar
    }

    private mutating func choice() throws(Refusal) -> RegularExpressionTree {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit else { throw .badExpression("nested too deeply") }
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count > 1 ? .choice(parts) : parts[0]
    }

    private mutating func sequence() throws(Refusal) -> RegularExpressionTree {
        var parts: [RegularExpressionTree] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let atom = try atom()
            parts.append(try quantified(atom))
        }
        return parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func quantified(_ atom: RegularExpressionTree) throws(Refusal) -> RegularExpressionTree {
        var tree = atom
        while true {
            if take("*") {
                tree = .repeated(tree, least: 0, most: nil)
            } else if take("+") {
                tree = .repeated(tree, least: 1, most: nil)
            } else if take("?") {
                tree = .repeated(tree, least: 0, most: 1)
            } else if next == "{" {
                tree = try counted(tree)
            } else {
                return tree
            }
            _ = take("?")  // lazy or not finds the same texts
        }
    }

    private mutating func counted(_ tree: RegularExpressionTree) throws(Refusal) -> RegularExpressionTree {
        index += 1
        guard let least = number() else { throw .badExpression("invalid repetition count(s)") }
        var most: Int? = least
        if take(",") { most = next == "}" ? nil : number() ?? -1 }
        guard take("}"), least <= Self.repeatLimit,
            most.map({ $0 >= least && $0 <= Self.repeatLimit }) ?? true
        else { throw .badExpression("invalid repetition count(s)") }
        return .repeated(tree, least: least, most: most)
    }

    private mutating func number() -> Int? {
        var text = ""
        while let scalar = next, ("0"..."9").contains(scalar), text.utf8.count < 4 {
            text.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(text)
    }

    private mutating func atom() throws(Refusal) -> RegularExpressionTree {
        guard let scalar = pop() else { throw .badExpression("unexpected end") }
        switch scalar {
        case ".": return .take(.any)
        case "^": return .at(.start)
        case "$": return .at(.finish)
        case "[": return .take(try bracket())
        case "\\": return try escape()
        case "(":
            if take("?"), !take(":") { throw .badExpression("look-around is not supported") }
            let inner = try choice()
            guard take(")") else { throw .badExpression("parentheses () not balanced") }
            return inner
        case "*", "+", "?": throw .badExpression("quantifier operand invalid")
        default: return literal(scalar)
        }
    }

    /// In lower case some letters are two.
    private func literal(_ scalar: Unicode.Scalar) -> RegularExpressionTree {
        guard ignoresCase else { return .take(.range(scalar, scalar)) }
        let small = scalar.properties.lowercaseMapping.unicodeScalars.map {
            RegularExpressionTree.take(.range($0, $0))
        }
        return small.count == 1 ? small[0] : .sequence(small)
    }

    /// A range in brackets, and the same in lower case.
    private func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> CharacterTest {
        let ends = [first, last].compactMap { $0.properties.lowercaseMapping.unicodeScalars.first }
        guard ignoresCase, ends.count == 2, ends != [first, last], ends[0] <= ends[1] else {
            return .range(first, last)
        }
        return .oneOf([.range(first, last), .range(ends[0], ends[1])])
    }

    private mutating func escape() throws(Refusal) -> RegularExpressionTree {
        guard let scalar = pop() else { throw .badExpression("invalid escape \\ sequence") }
        switch scalar {
        case "y": return .at(.wordEdge)
        case "m": return .at(.wordStart)
        case "M": return .at(.wordEnd)
        case "A": return .at(.start)
        case "Z": return .at(.finish)
        default: return .take(try escapedTest(scalar))
        }
    }

    private func escapedTest(_ scalar: Unicode.Scalar) throws(Refusal) -> CharacterTest {
        switch scalar {
        case "d": return .digit
        case "D": return .not(.digit)
        case "w": return .word
        case "W": return .not(.word)
        case "s": return .space
        case "S": return .not(.space)
        case "n": return .range("\n", "\n")
        case "t": return .range("\t", "\t")
        case "r": return .range("\r", "\r")
        default:
            guard !CharacterTest.isWord(scalar) else { throw .badExpression("invalid escape \\ sequence") }
            return .range(scalar, scalar)
        }
    }

    private mutating func bracket() throws(Refusal) -> CharacterTest {
        let isNegated = take("^")
        var tests: [CharacterTest] = []
        repeat {
            if take("[:") {
                tests.append(try characterClass())
                continue
            }
            guard let first = pop() else { throw .badExpression("brackets [] not balanced") }
            if first == "\\", let escaped = pop() {
                tests.append(try escapedTest(escaped))
            } else if next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" {
                index += 1
                guard let last = pop(), first <= last else { throw .badExpression("invalid character range") }
                tests.append(range(first, last))
            } else {
                tests.append(range(first, first))
            }
        } while next != "]"
        index += 1
        return isNegated ? .not(.oneOf(tests)) : .oneOf(tests)
    }

    private mutating func characterClass() throws(Refusal) -> CharacterTest {
        let classes: [(String, CharacterTest)] = [
            ("alpha:]", .letter), ("alnum:]", .letterOrDigit), ("digit:]", .digit), ("space:]", .space),
            ("upper:]", ignoresCase ? .lower : .upper), ("lower:]", .lower), ("punct:]", .punctuation),
            ("word:]", .word),
        ]
        for (name, test) in classes where take(name) { return test }
        throw .badExpression("invalid character class")
    }
}
