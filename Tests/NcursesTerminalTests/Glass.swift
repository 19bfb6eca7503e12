/// What a terminal shows after the bytes it got: enough of one to check that the screen is what we believe.
///
/// Its idea of widths is exchangeable, since no two terminals agree.
struct Glass {
    enum Widths: CaseIterable, Sendable {
        /// An emoji is two cells, what follows a joiner adds nothing.
        case joinerAware
        /// Every scalar counts for itself.
        case perScalar
        case emojiOneCell
        case symbolsTwoCells
        case marksOneCell
    }

    private(set) var rows: [[String]]
    /// The colours of each cell, as the sequences that set them: `38;5;9`.
    private(set) var colors: [[Colors]]
    struct Colors: Hashable {
        var front = ""
        var back = ""
    }

    private var color = Colors()
    private(set) var column = 0
    private(set) var row = 0
    private var saved = (column: 0, row: 0)
    private var region: ClosedRange<Int>
    private let widths: Widths
    private var afterJoiner = false
    private var lastPrinted = ""
    /// Sequences that a screen has no use for; none may be written.
    private(set) var strange: [String] = []

    init(columns: Int, rows: Int, widths: Widths = .joinerAware) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        colors = Array(repeating: Array(repeating: Colors(), count: columns), count: rows)
        region = 0...(rows - 1)
        self.widths = widths
    }

    var text: String {
        rows.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private var columns: Int { rows[0].count }

    mutating func write(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar.value {
            case 0x1B: index += escape(scalars[index...])
            case 0x08: (column, index) = (max(column - 1, 0), index + 1)
            case 0x09: (column, index) = (min((column / 8 + 1) * 8, columns - 1), index + 1)
            case 0x0A:
                lineFeed()
                index += 1
            case 0x0D: (column, index) = (0, index + 1)
            case 0x0E, 0x0F: index += 1
            case 0x00...0x1F, 0x7F...0x9F:
                strange.append("control \(scalar.value)")
                index += 1
            default:
                put(scalar)
                index += 1
            }
        }
    }

    // MARK: Text

    private func width(_ scalar: Unicode.Scalar) -> Int {
        let properties = scalar.properties
        if scalar.value < 0x7F || (0x2500...0x257F).contains(scalar.value) { return 1 }
        let isWide =
            (0x1100...0x115F).contains(scalar.value) || (0x3000...0x9FFF).contains(scalar.value)
            || (0xAC00...0xD7A3).contains(scalar.value) || (0xFF01...0xFF60).contains(scalar.value)
        if isWide { return 2 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return widths == .marksOneCell ? 1 : 0
        case .spacingMark: return widths == .joinerAware ? 0 : 1
        case .format: return widths == .marksOneCell ? 1 : 0
        case .otherSymbol, .mathSymbol, .otherPunctuation, .otherNumber, .modifierSymbol, .finalPunctuation,
            .initialPunctuation:
            if scalar.value >= 0x1F000 { return widths == .emojiOneCell ? 1 : 2 }
            return widths == .symbolsTwoCells ? 2 : 1
        default: return 1
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        var width = width(scalar)
        if widths == .joinerAware {
            if afterJoiner { width = 0 }
            afterJoiner = scalar.value == 0x200D
        }
        guard width > 0 else { return }
        lastPrinted = String(Character(scalar))
        if column + width > columns { column = columns - width }  // autowrap is off
        for offset in 0..<width { tear(column + offset) }
        rows[row][column] = lastPrinted
        if width == 2 { rows[row][column + 1] = "" }
        column = min(column + width, columns - 1)
    }

    /// The other half of a wide glyph goes with the one that is written over.
    private mutating func tear(_ place: Int) {
        if rows[row][place].isEmpty, place > 0 { rows[row][place - 1] = " " }
        if place + 1 < columns, rows[row][place + 1].isEmpty { rows[row][place + 1] = " " }
        rows[row][place] = " "
        colors[row][place] = color
    }

    // MARK: Sequences

    private mutating func escape(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        let start = scalars.startIndex
        guard start + 1 < scalars.endIndex else { return 1 }
        switch scalars[start + 1] {
        case "[": return control(scalars)
        case "(": return 3
        case "7": saved = (column, row)
        case "8": (column, row) = saved
        case "M": reverseLineFeed()
        case "=", ">", "\\": break
        default: strange.append("escape \(scalars[start + 1])")
        }
        return 2
    }

    private mutating func control(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
        let body = scalars.dropFirst(2).prefix { !(0x40...0x7E).contains($0.value) }
        guard body.endIndex < scalars.endIndex else { return scalars.count }
        let text = String(String.UnicodeScalarView(body))
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        func number(_ index: Int, or standard: Int = 1) -> Int {
            index < numbers.count ? numbers[index] ?? standard : standard
        }
        let final = scalars[body.endIndex]
        switch final {
        case "A": row = max(row - number(0), 0)
        case "B": row = min(row + number(0), rows.count - 1)
        case "C": column = min(column + number(0), columns - 1)
        case "D": column = max(column - number(0), 0)
        case "G": column = min(number(0) - 1, columns - 1)
        case "d": row = min(number(0) - 1, rows.count - 1)
        case "H": (row, column) = (min(number(0) - 1, rows.count - 1), min(number(1) - 1, columns - 1))
        case "J": eraseDisplay(number(0, or: 0))
        case "K": eraseLine(number(0, or: 0))
        case "X": blank(row, column..<min(column + number(0), columns))
        case "b": for _ in 0..<number(0) { lastPrinted.unicodeScalars.first.map { put($0) } }
        case "@": insert(number(0))
        case "L": scroll(row...region.upperBound, by: -number(0))
        case "M": scroll(row...region.upperBound, by: number(0))
        case "S": scroll(region, by: number(0))
        case "T": scroll(region, by: -number(0))
        case "r":
            region = (number(0) - 1)...(number(1, or: rows.count) - 1)
            (column, row) = (0, 0)
        case "m": wear(text)
        // The Linux console's cursor shape.
        case "c": if !text.hasPrefix("?") { strange.append("query \(text)") }
        case "I": column = min((column / 8 + number(0)) * 8, columns - 1)
        case "h", "l": if !text.hasPrefix("?"), text != "34" { strange.append("mode \(text)") }
        case "t": if number(0) != 22, number(0) != 23 { strange.append("window \(text)") }
        default: strange.append("sequence \(text)\(final)")
        }
        return body.count + 3
    }

    private mutating func blank(_ row: Int, _ range: Range<Int>) {
        let here = self.row
        self.row = row
        for place in range { tear(place) }
        self.row = here
    }

    private mutating func wear(_ text: String) {
        var codes = text.split(separator: ";")[...]
        if codes.isEmpty { color = Colors() }
        while let code = codes.popFirst().flatMap({ Int($0) }) {
            var value = String(code)
            if code == 38 || code == 48 {
                let count = codes.first == "2" ? 4 : 2
                value = ([value] + codes.prefix(count).map(String.init)).joined(separator: ";")
                codes = codes.dropFirst(count)
            }
            switch code {
            case 0: color = Colors()
            case 30...38, 90...97: color.front = value
            case 39: color.front = ""
            case 40...48, 100...107: color.back = value
            case 49: color.back = ""
            default: break
            }
        }
    }

    private mutating func insert(_ count: Int) {
        colors[row].insert(contentsOf: Array(repeating: color, count: count), at: column)
        colors[row].removeLast(count)
        rows[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
        rows[row].removeLast(count)
    }

    private mutating func eraseLine(_ kind: Int) {
        switch kind {
        case 0: blank(row, column..<columns)
        case 1: blank(row, 0..<column + 1)
        default: blank(row, 0..<columns)
        }
    }

    private mutating func eraseDisplay(_ kind: Int) {
        if kind == 0 { eraseLine(0) } else if kind == 1 { eraseLine(1) }
        let others = kind == 0 ? (row + 1)..<rows.count : kind == 1 ? 0..<row : 0..<rows.count
        for row in others { blank(row, 0..<columns) }
    }

    private mutating func scroll(_ range: ClosedRange<Int>, by count: Int) {
        for _ in 0..<abs(count) {
            let from = count > 0 ? range.lowerBound : range.upperBound
            let to = count > 0 ? range.upperBound : range.lowerBound
            rows.remove(at: from)
            rows.insert(Array(repeating: " ", count: columns), at: to)
            colors.remove(at: from)
            colors.insert(Array(repeating: color, count: columns), at: to)
        }
    }

    private mutating func lineFeed() {
        if row == region.upperBound { scroll(region, by: 1) } else { row = min(row + 1, rows.count - 1) }
    }

    private mutating func reverseLineFeed() {
        if row == region.lowerBound { scroll(region, by: -1) } else { row = max(row - 1, 0) }
    }
}
