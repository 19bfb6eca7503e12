/// What `Package.swift` says, read as text: it is written in the few forms that this reads.
struct Manifest {
    /// Targets by name with what they depend on, facades and tests included.
    private(set) var dependencies: [String: Set<String>] = [:]

    init(_ text: String) {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex) }.joined(
                separator: "\n")
        let target =
            /(?:^|\W)(module|facade|tests|\.target|\.executableTarget|\.testTarget)\s*\(\s*(?:name:\s*)?"(\w+)"/
        for match in code.matches(of: target) {
            let name = match.1 == "tests" ? match.2 + "Tests" : match.2
            let call = Self.call(code[match.range.lowerBound...])
            let listed = match.1 == "facade" ? [] : Self.strings(inFirstListOf: call)
            let tested: Set<String> = match.1 == "tests" ? [String(match.2)] : []
            dependencies[String(name)] = tested.union(listed)
        }
    }

    /// The text up to the parenthesis that closes the first one.
    private static func call(_ text: Substring) -> Substring {
        var depth = 0
        for index in text.indices {
            depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
            if depth == 0, text[index] == ")" { return text[...index] }
        }
        return text
    }

    private static func strings(inFirstListOf text: Substring) -> [String] {
        guard let list = text.firstMatch(of: /\[([^\]]*)\]/) else { return [] }
        return list.1.matches(of: /"(\w+)"/).map { String($0.1) }
    }
}
