/// Takes the known settings out of one table and reports everything else in it.
struct TableReader {
    private let entries: [TOMLNode.Entry]
    private let line: Int
    private let path: String
    private var known: [String] = []
    private(set) var problems: [SettingsProblem] = []

    /// - Parameter path: The table's place in the file; empty for the whole.
    init(_ entries: [TOMLNode.Entry], path: String = "", line: Int = 1) {
        self.entries = entries
        self.path = path
        self.line = line
    }

    /// A text, trimmed. `nil` when it is not there, empty, or of another kind.
    mutating func string(_ key: String) -> (value: String, line: Int)? {
        guard let node = take(key) else { return nil }
        guard case .string(let text) = node.value else {
            report(key, node, .wrongKind(expected: "a text in quotes", found: node.kind))
            return nil
        }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty else {
            report(key, node, .empty)
            return nil
        }
        return (trimmed, node.line)
    }

    mutating func boolean(_ key: String) -> Bool? {
        guard let node = take(key) else { return nil }
        guard case .boolean(let value) = node.value else {
            report(key, node, .wrongKind(expected: "true or false", found: node.kind))
            return nil
        }
        return value
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let node = take(key) else { return nil }
        guard case .integer(let value) = node.value else {
            report(key, node, .wrongKind(expected: "a whole number", found: node.kind))
            return nil
        }
        guard let number = Int(exactly: value), range.contains(number) else {
            report(key, node, .outOfRange(range))
            return nil
        }
        return number
    }

    /// A text that is one of a few words.
    mutating func word(_ key: String, of words: [String]) -> String? {
        guard let (text, line) = string(key) else { return nil }
        guard words.contains(text) else {
            report(key, line: line, .notOneOf(words, nearest: NearestName.of(text, in: words)))
            return nil
        }
        return text
    }

    mutating func table(_ key: String) -> (entries: [TOMLNode.Entry], line: Int)? {
        guard let node = take(key) else { return nil }
        guard case .table(let entries) = node.value else {
            report(key, node, .wrongKind(expected: "a table, [\(place(key))]", found: node.kind))
            return nil
        }
        return (entries, node.line)
    }

    /// Tables under one name, `[[key]]`; elements of another kind are reported and left out.
    mutating func tables(_ key: String) -> [(entries: [TOMLNode.Entry], path: String, line: Int)] {
        guard let node = take(key) else { return [] }
        guard case .array(let elements) = node.value else {
            report(
                key, node, .wrongKind(expected: "tables, each begun with [[\(place(key))]]", found: node.kind)
            )
            return []
        }
        return elements.enumerated().compactMap { index, element in
            let name = "\(key)[\(index + 1)]"
            guard case .table(let entries) = element.value else {
                report(name, element, .wrongKind(expected: "a table", found: element.kind))
                return nil
            }
            return (entries, place(name), element.line)
        }
    }

    /// What is no setting, with the nearest that is. Call it last.
    mutating func reportUnknown() {
        for entry in entries where !known.contains(entry.key) {
            report(entry.key, entry.node, .unknown(nearest: NearestName.of(entry.key, in: known)))
        }
    }

    mutating func report(_ key: String, line: Int? = nil, _ reason: SettingsProblem.Reason) {
        let problem = SettingsProblem(line: line ?? self.line, path: place(key), reason: reason)
        problems.append(problem)
    }

    /// Takes over what a part of this table had to report.
    mutating func add(_ more: [SettingsProblem]) { problems += more }

    private mutating func report(_ key: String, _ node: TOMLNode, _ reason: SettingsProblem.Reason) {
        report(key, line: node.line, reason)
    }

    private mutating func take(_ key: String) -> TOMLNode? {
        known.append(key)
        return entries.first { $0.key == key }?.node
    }

    private func place(_ key: String) -> String {
        path.isEmpty ? Self.shown(key) : "\(path).\(Self.shown(key))"
    }

    /// A quoted key may hold anything; the words may not.
    static func shown(_ key: String) -> String {
        let plain = key.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7F ? Character(scalar) : "?"
        }
        return plain.count > 40 ? String(plain.prefix(39)) + "…" : String(plain)
    }
}

extension StringProtocol {
    /// Without white space, line ends and byte order marks at either end: what pasting leaves there.
    var trimmed: String {
        func isStray(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
        guard let start = firstIndex(where: { !isStray($0) }), let end = lastIndex(where: { !isStray($0) })
        else { return "" }
        return String(self[start...end])
    }
}
