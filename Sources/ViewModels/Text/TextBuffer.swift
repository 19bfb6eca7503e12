/// Text under a cursor, edited by grapheme clusters: nothing here can cut a family or a flag in two.
///
/// It has the habits of readline: a kill ring, word moves, transposing; and undo, where letters typed in one go
/// are one step. A one-line buffer turns line breaks into spaces.
package struct TextBuffer: Hashable, Sendable {
    /// The clusters. A line feed is one.
    package internal(set) var characters: [Character]
    /// The cluster the cursor stands before: 0...characters.count.
    package internal(set) var cursor: Int
    package let isMultiline: Bool
    /// Rises with every change of the text.
    private(set) var revision = 0

    var undos: [TextEdit] = []
    var redos: [TextEdit] = []
    var kills: [[Character]] = []
    /// What the last command leaves to the next one: kills in a row are one kill, a yank may be exchanged.
    var after = Aftermath.nothing
    /// The column that moves up and down aim for, kept over short lines; clusters.
    var goal: Int?

    /// Steps that can be undone, and kills that can be yanked.
    static let undoLimit = 400
    static let killLimit = 16

    enum Aftermath: Hashable {
        case nothing, typing, kill
        case yank(Range<Int>, turn: Int)
    }

    /// - Parameter text: What stands in it at first; the cursor stands at its end.
    package init(_ text: String = "", isMultiline: Bool = false) {
        self.isMultiline = isMultiline
        characters = Self.clusters(of: text, isMultiline)
        cursor = characters.count
    }

    package var text: String { String(characters) }
    package var isEmpty: Bool { characters.isEmpty }

    /// Inserts typed or pasted text at the cursor. Any kind of line break becomes a line feed.
    package mutating func insert(_ text: String) {
        let new = Self.clusters(of: text, isMultiline)
        guard !new.isEmpty else { return }
        let isTyping = new.count == 1 && new != ["\n"]
        replace(cursor..<cursor, with: new, joining: isTyping && after == .typing)
        after = isTyping && new != [" "] ? .typing : .nothing
    }

    /// Replaces everything, as one step that can be undone. The cursor goes to the end.
    package mutating func setText(_ text: String) {
        let new = Self.clusters(of: text, isMultiline)
        guard new != characters else {
            cursor = characters.count
            return
        }
        replace(0..<characters.count, with: new)
        cursor = characters.count
        after = .nothing
    }

    /// Empties it and forgets the steps that led here, so that undo cannot bring back what was sent.
    package mutating func reset() { self = TextBuffer(isMultiline: isMultiline, kills: kills) }

    private init(isMultiline: Bool, kills: [[Character]]) {
        self.init(isMultiline: isMultiline)
        self.kills = kills
    }

    private static func clusters(of text: String, _ isMultiline: Bool) -> [Character] {
        let plain = text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) ? text : text.withPlainLineBreaks
        return isMultiline ? Array(plain) : plain.map { $0 == "\n" || $0 == "\t" ? " " : $0 }
    }

    // MARK: One edit

    /// The only place where `characters` changes by editing.
    /// - Parameter joining: Whether the edit belongs to the step before it.
    mutating func replace(_ range: Range<Int>, with new: [Character], joining: Bool = false) {
        let edit = joined(range, new)
        let old = Array(characters[edit.range])
        let step = TextEdit(
            at: edit.range.lowerBound, removed: old, inserted: edit.new, cursorBefore: cursor,
            joinsPrevious: joining)
        revision += 1
        characters.replaceSubrange(edit.range, with: edit.new)
        cursor = edit.cursor
        goal = nil
        redos = []
        undos.append(step)
        if undos.count > Self.undoLimit { undos.removeFirst(undos.count - Self.undoLimit) }
    }

    /// Widens the edit where new and old text become one cluster: an accent typed after its letter.
    private func joined(_ range: Range<Int>, _ new: [Character]) -> (
        range: Range<Int>, new: [Character], cursor: Int
    ) {
        let plain = (range, new, range.lowerBound + new.count)
        let low = neighbour(below: range.lowerBound)
        var high = neighbour(above: range.upperBound)
        let before = characters[low..<range.lowerBound]
        var after = characters[range.upperBound..<high]
        let edges = [before.last, new.first, new.last, after.first].compactMap { $0 }
        guard !edges.allSatisfy({ $0.isASCII }) else { return plain }
        var whole = Array(String(before + new + after))
        // What was joined may join on: a joiner that has become part of a picture takes the next one.
        while high < characters.count, let last = whole.last, String([last, characters[high]]).count == 1 {
            high = neighbour(above: high)
            after = characters[range.upperBound..<high]
            whole = Array(String(before + new + after))
        }
        guard whole != before + new + after else { return plain }
        return (low..<high, whole, low + min(Array(String(before + new)).count, whole.count))
    }

    /// One cluster beyond an edit, or all of a row of flags: what pairs with what depends on their number.
    private func neighbour(below index: Int) -> Int {
        var index = max(index - 1, 0)
        while index > 0, characters[index].isFlag, characters[index - 1].isFlag { index -= 1 }
        return index
    }

    private func neighbour(above index: Int) -> Int {
        var index = min(index + 1, characters.count)
        while index < characters.count, characters[index].isFlag, characters[index - 1].isFlag { index += 1 }
        return index
    }

    mutating func undo() {
        while let step = undos.popLast() {
            let end = step.at + step.inserted.count
            revision += 1
            characters.replaceSubrange(step.at..<end, with: step.removed)
            cursor = step.cursorBefore
            redos.append(step)
            if !step.joinsPrevious { break }
        }
    }

    mutating func redo() {
        var isFirst = true
        while let step = redos.last, isFirst || step.joinsPrevious {
            redos.removeLast()
            revision += 1
            characters.replaceSubrange(step.at..<step.at + step.removed.count, with: step.inserted)
            cursor = step.at + step.inserted.count
            undos.append(step)
            isFirst = false
        }
    }
}

/// One change of a text, with what is needed to take it back.
struct TextEdit: Hashable, Sendable {
    /// Cluster index.
    let at: Int
    let removed: [Character]
    let inserted: [Character]
    let cursorBefore: Int
    /// Whether it belongs to the step before it.
    let joinsPrevious: Bool
}

extension Character {
    /// Begins with a regional indicator.
    fileprivate var isFlag: Bool {
        unicodeScalars.first.map { (0x1F1E6...0x1F1FF).contains($0.value) } ?? false
    }
}
