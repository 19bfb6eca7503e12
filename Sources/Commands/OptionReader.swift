/// Walks over options: `--name value` and `--name=value` are the same.
struct OptionReader {
    struct Option {
        let name: String
        let inlineValue: String?

        /// As typed.
        var word: String { inlineValue.map { "\(name)=\($0)" } ?? name }
    }

    private var rest: ArraySlice<String>

    init(_ arguments: [String]) {
        rest = arguments[...]
    }

    mutating func next() -> Option? {
        guard let word = rest.popFirst() else { return nil }
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else {
            return Option(name: word, inlineValue: nil)
        }
        return Option(name: String(word[..<sign]), inlineValue: String(word[word.index(after: sign)...]))
    }

    mutating func value(of option: Option) throws(UsageError) -> String {
        guard let value = option.inlineValue ?? rest.popFirst() else {
            throw .missingValue(option: option.name)
        }
        return value
    }

    mutating func number<Number: FixedWidthInteger>(of option: Option, in range: ClosedRange<Number>)
        throws(UsageError) -> Number
    {
        let text = try value(of: option)
        guard let number = Number(text), range.contains(number) else {
            throw .notANumber(
                option: option.name, lowest: Int(clamping: range.lowerBound),
                highest: Int(clamping: range.upperBound))
        }
        return number
    }
}
