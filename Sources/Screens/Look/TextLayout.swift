import Terminal
import ViewModels

/// A text laid out for editing, with the place of its cursor.
///
/// Unlike `wrap` it keeps every blank, for the cursor may stand on each. Only what is near the cursor is laid
/// out: a letter typed into a pasted file costs no more than one typed into a sentence.
struct TextLayout: Equatable {
    /// Rows around the cursor; never empty.
    private(set) var lines: [CleanText] = []
    /// The row of `lines` the cursor is in.
    private(set) var row = 0
    private(set) var column: Columns = 0

    /// A line without a break is laid out in pieces of so many clusters, each beginning a row.
    private static let pieceLength = 2_000

    /// - Parameters:
    ///   - room: Columns of a row; the cursor needs one of them after the last cluster.
    ///   - reach: Rows wanted above and below the cursor; there are fewer at the ends.
    init(_ buffer: TextBuffer, room: Columns, reach: Int) {
        let room = max(room, 2)
        let characters = buffer.characters
        let piece = Self.piece(at: buffer.cursor, in: characters)
        let ranges = Self.rows(characters[piece], room: room)
        let holder = ranges.firstIndex { buffer.cursor < $0.upperBound } ?? ranges.count - 1
        let shown = ranges[max(holder - reach, 0)...min(holder + reach, ranges.count - 1)]
        lines = shown.map { CleanText(String(characters[$0])) }
        row = holder - shown.startIndex
        column = CleanText(String(characters[ranges[holder].lowerBound..<buffer.cursor])).width
        addBelow(piece, characters, room: room, reach: reach)
        addAbove(piece, characters, room: room, reach: reach)
    }

    private mutating func addBelow(_ piece: Range<Int>, _ characters: [Character], room: Columns, reach: Int)
    {
        var end = piece.upperBound
        while lines.count - row <= reach, end < characters.count {
            let start = characters[end] == "\n" ? end + 1 : end
            let next = start..<Self.pieceEnd(from: start, in: characters)
            lines += Self.rows(characters[next], room: room).map { CleanText(String(characters[$0])) }
            end = next.upperBound
        }
    }

    private mutating func addAbove(_ piece: Range<Int>, _ characters: [Character], room: Columns, reach: Int)
    {
        var start = piece.lowerBound
        while row < reach, start > 0 {
            let isLineStart = characters[start - 1] == "\n"
            let end = isLineStart ? start - 1 : start
            let before = Self.pieceStart(endingAt: end, in: characters)..<end
            let rows = Self.rows(characters[before], room: room).map { CleanText(String(characters[$0])) }
            lines = rows + lines
            row += rows.count
            start = before.lowerBound
        }
    }

    // MARK: Pieces

    private static func lineStart(_ index: Int, in characters: [Character]) -> Int {
        characters[..<index].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    }

    private static func pieceEnd(from start: Int, in characters: [Character]) -> Int {
        let most = min(start + pieceLength, characters.count)
        return characters[start..<most].firstIndex(of: "\n") ?? most
    }

    /// The start of the piece that ends before `end`, which is not empty unless its line is.
    private static func pieceStart(endingAt end: Int, in characters: [Character]) -> Int {
        let line = lineStart(end, in: characters)
        return line + max(end - line - 1, 0) / pieceLength * pieceLength
    }

    private static func piece(at cursor: Int, in characters: [Character]) -> Range<Int> {
        let isAtEnd = cursor == characters.count || characters[cursor] == "\n"
        let start = pieceStart(endingAt: isAtEnd ? cursor : cursor + 1, in: characters)
        return start..<pieceEnd(from: start, in: characters)
    }

    /// One piece's rows: broken after blanks where that is possible. Never empty.
    private static func rows(_ line: ArraySlice<Character>, room: Columns) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var (start, used, lastBreak) = (line.startIndex, Columns.zero, line.startIndex)
        var index = line.startIndex
        while index < line.endIndex {
            let width = cells(line[index])
            if used + width > room - 1, index > start {
                start = lastBreak > start ? lastBreak : index
                rows.append((rows.last?.upperBound ?? line.startIndex)..<start)
                (lastBreak, index, used) = (start, start, 0)
                continue
            }
            used = used + width
            index += 1
            if line[index - 1] == " " { lastBreak = index }
        }
        rows.append(start..<line.endIndex)
        return rows
    }

    private static func cells(_ character: Character) -> Columns {
        character.isASCII ? 1 : CleanText(String(character)).width
    }

    /// The rows around the cursor when there are more than fit.
    func visible(_ count: Int) -> (lines: ArraySlice<CleanText>, cursorRow: Int) {
        let count = max(count, 1)
        guard lines.count > count else { return (lines[...], row) }
        let first = min(max(row - count + 1, 0), lines.count - count)
        return (lines[first..<first + count], row - first)
    }
}
