import Terminal

/// Lines as a test writes them down: blanks at the end of a line left out.
package func picture(_ lines: [Line]) -> String {
    lines.map { line in
        var text = line.string[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }.joined(separator: "\n")
}

/// A whole screen as a test writes it down; under it, where the cursor stands.
package func picture(_ frame: Frame) -> String {
    let cursor = frame.cursor.map { "cursor \($0.row + 1):\($0.column.cells + 1)" } ?? "no cursor"
    return frame.picture + "\n" + cursor + "\n"
}
