/// What an editing key does to a `TextBuffer`.
package enum TextCommand: String, CaseIterable, Sendable {
    case left, right, up, down
    case wordLeft, wordRight
    case lineStart, lineEnd
    case deleteBack, deleteForward
    /// Back to white space, as Ctrl-w does in a shell.
    case killWordBack
    /// Back to the beginning of a word of letters and digits.
    case killLettersBack
    case killWordForward
    case killToLineStart, killToLineEnd
    case yank
    /// Exchanges what was just yanked for the kill before it.
    case yankPop
    case transpose
    case newline
    case undo, redo
}

extension TextBuffer {
    /// - Returns: Whether the text or the cursor changed; a move that has nowhere to go did nothing.
    @discardableResult
    package mutating func perform(_ command: TextCommand) -> Bool {
        let before = (characters.count, cursor, undos.count, redos.count)
        switch command {
        case .left: move(to: cursor - 1)
        case .right: move(to: cursor + 1)
        case .up: moveLine(by: -1)
        case .down: moveLine(by: 1)
        case .wordLeft: move(to: wordStart(before: cursor))
        case .wordRight: move(to: wordEnd(after: cursor))
        case .lineStart: move(to: lineStart(of: cursor))
        case .lineEnd: move(to: lineEnd(of: cursor))
        case .deleteBack: delete(max(cursor - 1, 0)..<cursor)
        case .deleteForward: delete(cursor..<min(cursor + 1, characters.count))
        case .killWordBack: kill(blankStart(before: cursor)..<cursor)
        case .killLettersBack: kill(wordStart(before: cursor)..<cursor)
        case .killWordForward: kill(cursor..<wordEnd(after: cursor))
        case .killToLineStart: kill(lineStart(of: cursor)..<cursor)
        case .killToLineEnd: killToLineEnd()
        case .yank: yank()
        case .yankPop: yankPop()
        case .transpose: transpose()
        case .newline: if isMultiline { insert("\n") }
        case .undo: turn { $0.undo() }
        case .redo: turn { $0.redo() }
        }
        return before != (characters.count, cursor, undos.count, redos.count)
    }

    // MARK: Moving

    private mutating func move(to index: Int) {
        cursor = min(max(index, 0), characters.count)
        goal = nil
        after = .nothing
    }

    /// Puts the cursor before a cluster; out of range is the nearest end.
    package mutating func moveCursor(to index: Int) { move(to: index) }

    private mutating func moveLine(by step: Int) {
        let start = lineStart(of: cursor)
        let column = goal ?? cursor - start
        let target: Int
        if step < 0 {
            guard start > 0 else { return }
            target = lineStart(of: start - 1)
        } else {
            let end = lineEnd(of: cursor)
            guard end < characters.count else { return }
            target = end + 1
        }
        cursor = min(target + column, lineEnd(of: target))
        goal = column
        after = .nothing
    }

    /// Whether the cursor stands on the first, or the last, of the lines.
    package var isOnFirstLine: Bool { lineStart(of: cursor) == 0 }
    package var isOnLastLine: Bool { lineEnd(of: cursor) == characters.count }

    private func lineStart(of index: Int) -> Int {
        (characters[..<index].lastIndex(of: "\n")).map { $0 + 1 } ?? 0
    }

    private func lineEnd(of index: Int) -> Int {
        characters[index...].firstIndex(of: "\n") ?? characters.count
    }

    private func wordStart(before index: Int) -> Int {
        var index = index
        while index > 0, !characters[index - 1].isInWord { index -= 1 }
        while index > 0, characters[index - 1].isInWord { index -= 1 }
        return index
    }

    private func wordEnd(after index: Int) -> Int {
        var index = index
        while index < characters.count, !characters[index].isInWord { index += 1 }
        while index < characters.count, characters[index].isInWord { index += 1 }
        return index
    }

    private func blankStart(before index: Int) -> Int {
        var index = index
        while index > 0, characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    // MARK: Deleting and bringing back

    private mutating func delete(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        replace(range, with: [])
        after = .nothing
    }

    private mutating func kill(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let killed = Array(characters[range])
        let isForward = range.lowerBound == cursor
        if after == .kill, let last = kills.popLast() {
            kills.append(isForward ? last + killed : killed + last)
        } else {
            kills.append(killed)
        }
        if kills.count > Self.killLimit { kills.removeFirst() }
        replace(range, with: [])
        after = .kill
    }

    /// At the end of a line it takes the line break, so that pressing it again goes on.
    private mutating func killToLineEnd() {
        let end = lineEnd(of: cursor)
        kill(cursor..<(end > cursor ? end : min(end + 1, characters.count)))
    }

    private mutating func yank() {
        guard let last = kills.last else { return }
        let start = cursor
        replace(cursor..<cursor, with: last)
        after = .yank(start..<cursor, turn: 1)
    }

    private mutating func yankPop() {
        guard case .yank(let range, let turn) = after, kills.count > 1 else { return }
        let next = kills[kills.count - 1 - turn % kills.count]
        replace(range, with: next)
        after = .yank(range.lowerBound..<cursor, turn: turn + 1)
    }

    /// Exchanges the clusters around the cursor and steps over them; at the end the last two.
    private mutating func transpose() {
        let right = cursor == characters.count ? cursor - 1 : cursor
        guard right > 0 else { return }
        replace(right - 1..<right + 1, with: [characters[right], characters[right - 1]])
        after = .nothing
    }

    private mutating func turn(_ body: (inout TextBuffer) -> Void) {
        body(&self)
        goal = nil
        after = .nothing
    }
}

extension Character {
    /// Letters, digits, and whatever else is neither space nor punctuation: emoji are words.
    fileprivate var isInWord: Bool {
        isLetter || isNumber || self == "_" || (!isASCII && !isWhitespace && !isPunctuation)
    }
}
