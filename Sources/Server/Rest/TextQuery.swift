/// A text search, as PostgreSQL's `simple` configuration understands it.
indirect enum TextQuery: Sendable, Equatable {
    /// The languages a search can be written in; the names are the operators'.
    enum Syntax: String, Sendable {
        /// `a & (b | !c)`, `a <-> b`, `a:*`
        case operators = "fts"
        /// Words, all of them.
        case plain = "plfts"
        /// Words, one behind the other.
        case phrase = "phfts"
        /// A search box: words, `"a phrase"`, `or`, `-not`.
        case web = "wfts"
    }

    /// No word at all: finds nothing.
    case nothing
    case word(String, isPrefix: Bool)
    case phrase([String])
    case all([TextQuery])
    case any([TextQuery])
    case not(TextQuery)

    /// - Throws: `42601` when the operators do not fit together.
    init(_ text: String, _ syntax: Syntax) throws(Refusal) {
        switch syntax {
        case .plain: self = .all(of: Self.words(text).map { .word($0, isPrefix: false) })
        case .phrase: self = .phrase(of: Self.words(text))
        case .web: self = Self.web(text)
        case .operators:
            var parser = TextQueryParser(text)
            self = try parser.parse()
        }
    }

    /// Runs of letters and digits, in lower case.
    static func words(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    static func all(of parts: [TextQuery]) -> TextQuery {
        let parts = parts.filter { $0 != .nothing }
        return parts.count > 1 ? .all(parts) : parts.first ?? .nothing
    }

    static func any(of parts: [TextQuery]) -> TextQuery {
        let parts = parts.filter { $0 != .nothing }
        return parts.count > 1 ? .any(parts) : parts.first ?? .nothing
    }

    static func phrase(of words: [String]) -> TextQuery {
        words.count > 1 ? .phrase(words) : words.first.map { .word($0, isPrefix: false) } ?? .nothing
    }

    /// A bare `or` between two parts joins them; everything else is AND, which binds closer.
    private static func web(_ text: String) -> TextQuery {
        var choices: [[TextQuery]] = [[]]
        var scanner = TextScanner(text)
        while !scanner.isAtEnd {
            if scanner.take(" ") || scanner.take("\t") || scanner.take("\n") { continue }
            let isNegated = scanner.take("-")
            let part: TextQuery
            if scanner.take("\"") {
                part = .phrase(of: words(scanner.take(until: ["\""])))
                _ = scanner.take("\"")
            } else {
                let word = scanner.take(until: [" ", "\t", "\n", "\""])
                if word.lowercased() == "or", !isNegated, choices.last?.isEmpty == false {
                    choices.append([])
                    continue
                }
                part = .phrase(of: words(word))
            }
            guard part != .nothing else { continue }
            choices[choices.count - 1].append(isNegated ? .not(part) : part)
        }
        return .any(of: choices.map { .all(of: $0) })
    }

    /// Whether a text has what is sought.
    func matches(_ words: [String]) -> Bool {
        switch self {
        case .nothing: false
        case .word(let word, let isPrefix):
            words.contains { isPrefix ? $0.hasPrefix(word) : $0 == word }
        case .phrase(let phrase):
            phrase.count <= words.count
                && (0...words.count - phrase.count).contains {
                    Array(words[$0..<$0 + phrase.count]) == phrase
                }
        case .all(let parts): parts.allSatisfy { $0.matches(words) }
        case .any(let parts): parts.contains { $0.matches(words) }
        case .not(let part): !part.matches(words)
        }
    }

    /// An FTS5 expression that finds at least every match; `nil` when only looking at every text would do.
    var candidates: String? {
        switch self {
        case .nothing, .not: return nil
        case .word(let word, let isPrefix): return Self.quoted(word) + (isPrefix ? "*" : "")
        case .phrase(let words): return Self.quoted(words.joined(separator: " "))
        case .all(let parts):
            let known = parts.compactMap(\.candidates)
            return known.isEmpty ? nil : "(" + known.joined(separator: " AND ") + ")"
        case .any(let parts):
            let known = parts.compactMap(\.candidates)
            return known.count < parts.count ? nil : "(" + known.joined(separator: " OR ") + ")"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.filter { $0 != "\"" && $0 != "\0" } + "\""
    }
}

/// Reads the operator syntax: `|` binds least, then `&`, then `<->`, then `!`.
private struct TextQueryParser {
    private var scanner: TextScanner
    private var depth = 0

    init(_ text: String) { scanner = TextScanner(text) }

    mutating func parse() throws(Refusal) -> TextQuery {
        skipSpaces()
        if scanner.isAtEnd { return .nothing }
        let query = try choice()
        guard scanner.isAtEnd else { throw syntaxError }
        return query
    }

    private var syntaxError: Refusal { Refusal(400, "42601", "syntax error in tsquery") }

    private mutating func skipSpaces() { while scanner.take(" ") {} }

    private mutating func take(_ text: String) -> Bool {
        skipSpaces()
        defer { skipSpaces() }
        return scanner.take(text)
    }

    private mutating func choice() throws(Refusal) -> TextQuery {
        var parts = [try both()]
        while take("|") { parts.append(try both()) }
        return .any(of: parts)
    }

    private mutating func both() throws(Refusal) -> TextQuery {
        var parts = [try sequence()]
        while take("&") { parts.append(try sequence()) }
        return .all(of: parts)
    }

    private mutating func sequence() throws(Refusal) -> TextQuery {
        let first = try unit()
        var words = try plainWords(first)
        var isSequence = false
        while take("<->") {
            isSequence = true
            guard let more = try plainWords(try unit()), let sofar = words else { throw syntaxError }
            words = sofar + more
        }
        guard isSequence else { return first }
        guard let words else { throw syntaxError }
        return .phrase(of: words)
    }

    private func plainWords(_ query: TextQuery) throws(Refusal) -> [String]? {
        switch query {
        case .word(let word, isPrefix: false): [word]
        case .phrase(let words): words
        case .nothing, .word, .all, .any, .not: nil
        }
    }

    private mutating func unit() throws(Refusal) -> TextQuery {
        depth += 1
        defer { depth -= 1 }
        guard depth < 50 else { throw syntaxError }
        if take("!") {
            let inner = try unit()
            return inner == .nothing ? .nothing : .not(inner)
        }
        if take("(") {
            let inner = try choice()
            guard take(")") else { throw syntaxError }
            return inner
        }
        return try word()
    }

    private mutating func word() throws(Refusal) -> TextQuery {
        let text: String
        if scanner.take("'") {
            text = scanner.take(until: ["'"])
            guard scanner.take("'") else { throw syntaxError }
        } else {
            text = scanner.take(until: [" ", "&", "|", "!", "(", ")", ":", "<"])
        }
        let words = TextQuery.words(text)
        guard !text.isEmpty else { throw syntaxError }
        let isPrefix = take(":*")
        if isPrefix, words.count == 1 { return .word(words[0], isPrefix: true) }
        return .phrase(of: words)
    }
}
