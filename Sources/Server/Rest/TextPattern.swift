/// LIKE patterns: `%` any run, `_` any one character, `\` takes the meaning from the next.
enum TextPattern {
    /// Whether the whole text fits the pattern. Takes at most pattern times text steps, whatever the pattern.
    static func matches(_ text: String, like pattern: String, ignoresCase: Bool) -> Bool {
        let text = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
        let parts = parse(ignoresCase ? pattern.lowercased() : pattern)
        var textIndex = 0
        var partIndex = 0
        var resume: (text: Int, part: Int)?
        while textIndex < text.count {
            if partIndex < parts.count, parts[partIndex] == .run {
                resume = (textIndex, partIndex + 1)
                partIndex += 1
            } else if partIndex < parts.count, parts[partIndex].takes(text[textIndex]) {
                textIndex += 1
                partIndex += 1
            } else if let last = resume {
                resume = (last.text + 1, last.part)
                textIndex = last.text + 1
                partIndex = last.part
            } else {
                return false
            }
        }
        return parts[partIndex...].allSatisfy { $0 == .run }
    }

    private enum Part: Equatable {
        case run, one
        case scalar(Unicode.Scalar)

        func takes(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .run: false
            case .one: true
            case .scalar(let own): own == scalar
            }
        }
    }

    private static func parse(_ pattern: String) -> [Part] {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                parts.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "%": parts.append(.run)
            case "_": parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        return parts
    }
}
