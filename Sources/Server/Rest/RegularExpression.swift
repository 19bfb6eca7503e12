/// A regular expression that is matched in time pattern times text, whatever the pattern.
///
/// Knows what PostgreSQL's advanced expressions have in daily use: literals, `.`, `[…]` with ranges and
/// `[:alpha:]`, `\d \w \s` and their opposites, `^ $ \y \m \M`, groups, `|`, `* + ? {m,n}` also lazy. Back
/// references and look-around are refused: they cannot be matched in bounded time.
struct RegularExpression: Sendable {
    private let program: [Step]
    private let ignoresCase: Bool

    enum Step: Sendable {
        case take(CharacterTest)
        case split(Int, Int)
        case jump(Int)
        case at(Place)
        case end
    }

    enum Place: Sendable { case start, finish, wordEdge, wordStart, wordEnd }

    /// - Throws: `2201B` for what is no expression, is too large, or is not supported.
    init(_ pattern: String, ignoresCase: Bool) throws(Refusal) {
        var parser = RegularExpressionParser(pattern, ignoresCase: ignoresCase)
        let tree = try parser.parse()
        var builder = ProgramBuilder()
        try builder.add(tree)
        builder.steps.append(.end)
        program = builder.steps
        self.ignoresCase = ignoresCase
    }

    /// Whether the expression is found anywhere in the text.
    func matches(_ text: String) -> Bool {
        let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
        var current = StepSet(count: program.count)
        var next = StepSet(count: program.count)
        for index in 0...scalars.count {
            if add(0, to: &current, scalars, index) { return true }
            guard index < scalars.count else { return false }
            next.removeAll()
            for step in current.members {
                guard case .take(let test) = program[step], test.takes(scalars[index]) else { continue }
                if add(step + 1, to: &next, scalars, index + 1) { return true }
            }
            swap(&current, &next)
        }
        return false
    }

    /// Adds a step and all that can be reached from it without taking a character.
    /// - Returns: `true` when the end is among them.
    private func add(_ first: Int, to set: inout StepSet, _ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        var waiting = [first]
        while let step = waiting.popLast() {
            guard set.insert(step) else { continue }
            switch program[step] {
            case .end: return true
            case .take: break
            case .jump(let target): waiting.append(target)
            case .split(let one, let other): waiting += [other, one]
            case .at(let place): if Self.isAt(place, scalars, index) { waiting.append(step + 1) }
            }
        }
        return false
    }

    private static func isAt(_ place: Place, _ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = index > 0 && CharacterTest.isWord(scalars[index - 1])
        let after = index < scalars.count && CharacterTest.isWord(scalars[index])
        return switch place {
        case .start: index == 0
        case .finish: index == scalars.count
        case .wordEdge: before != after
        case .wordStart: !before && after
        case .wordEnd: before && !after
        }
    }
}

private struct StepSet {
    private(set) var members: [Int] = []
    private var has: [Bool]

    init(count: Int) { has = [Bool](repeating: false, count: count) }

    mutating func insert(_ step: Int) -> Bool {
        guard !has[step] else { return false }
        has[step] = true
        members.append(step)
        return true
    }

    mutating func removeAll() {
        for member in members { has[member] = false }
        members.removeAll(keepingCapacity: true)
    }
}

private struct ProgramBuilder {
    private static let sizeLimit = 5_000
    var steps: [RegularExpression.Step] = []
    /// Parts added, also such as leave no step: empty ones can be repeated for ever too.
    private var parts = 0

    mutating func add(_ tree: RegularExpressionTree) throws(Refusal) {
        parts += 1
        guard parts < Self.sizeLimit else { throw .badExpression("regular expression is too complex") }
        switch tree {
        case .empty: break
        case .take(let test): steps.append(.take(test))
        case .at(let place): steps.append(.at(place))
        case .sequence(let parts): for part in parts { try add(part) }
        case .choice(let parts): try addChoice(parts)
        case .repeated(let part, let least, let most): try addRepeated(part, least, most)
        }
    }

    private mutating func addChoice(_ parts: [RegularExpressionTree]) throws(Refusal) {
        var jumps: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count - 1 else {
                try add(part)
                break
            }
            let split = steps.count
            steps.append(.jump(0))
            try add(part)
            jumps.append(steps.count)
            steps.append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func addRepeated(_ part: RegularExpressionTree, _ least: Int, _ most: Int?)
        throws(Refusal)
    {
        for _ in 0..<least { try add(part) }
        guard let most else {
            let split = steps.count
            steps.append(.jump(0))
            try add(part)
            steps.append(.jump(split))
            steps[split] = .split(split + 1, steps.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<most {
            splits.append(steps.count)
            steps.append(.jump(0))
            try add(part)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }
}

extension Refusal {
    static func badExpression(_ why: String) -> Refusal {
        Refusal(400, "2201B", "invalid regular expression: \(why)")
    }
}
