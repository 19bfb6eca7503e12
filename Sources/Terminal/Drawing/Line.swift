/// A run of clean text in one role.
package struct Span: Hashable, Sendable {
    package var text: CleanText
    package var role: Role

    /// Cleans foreign text: breaks and tabs become spaces.
    package init(_ text: String, _ role: Role) { self.init(CleanText(text), role) }

    package init(_ text: CleanText, _ role: Role) {
        self.text = text
        self.role = role
    }

    package static func blank(_ width: Columns, _ role: Role = .body) -> Span { Span(.blank(width), role) }

    package var width: Columns { text.width }
}

/// One row of something, as wide as its spans together.
package struct Line: Hashable, Sendable {
    package var spans: [Span]

    package static let empty = Line([])

    package init(_ spans: Span...) { self.spans = spans }
    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ role: Role) { spans = [Span(text, role)] }
    package init(_ text: CleanText, _ role: Role) { spans = [Span(text, role)] }

    package var width: Columns { spans.reduce(0) { $0 + $1.width } }

    /// The text without roles.
    package var string: String { spans.reduce(into: "") { $0 += $1.text.string } }

    /// At most `room` wide; a cut shows as `…` in the last cell.
    package func truncated(to room: Columns, ellipsis: Bool = true) -> Line {
        guard width > room else { return self }
        var left = room
        var kept: [Span] = []
        for (index, span) in spans.enumerated() {
            let isLast = spans[(index + 1)...].allSatisfy { $0.width == 0 }
            // Something follows: the last cell of the room is kept for the ellipsis.
            if span.width < left || (span.width == left && (isLast || !ellipsis)) {
                kept.append(span)
                left = left - span.width
                continue
            }
            var cut = span.text.prefix(fitting: left, ellipsis: ellipsis)
            if ellipsis, span.width == left {
                cut = (span.text + .blank(1)).prefix(fitting: left, ellipsis: true)
            }
            kept.append(Span(cut, span.role))
            break
        }
        return Line(kept)
    }

    /// Exactly `room` wide: cut with `…`, or filled with blanks at the end.
    package func fitted(to room: Columns, fill: Role = .body) -> Line {
        let line = truncated(to: room)
        let rest = room - line.width
        return rest > 0 ? Line(line.spans + [.blank(rest, fill)]) : line
    }

    /// Exactly `room` wide with the text in the middle; the odd cell is on the right.
    package func centered(in room: Columns, fill: Role = .body) -> Line {
        let line = truncated(to: room)
        let left = (room - line.width) / 2
        return Line([.blank(left, fill)] + line.spans).fitted(to: room, fill: fill)
    }

    /// Exactly `room` wide with the text at the right end.
    package func rightAligned(in room: Columns, fill: Role = .body) -> Line {
        let line = truncated(to: room)
        return Line([.blank(room - line.width, fill)] + line.spans)
    }

    /// Exactly `room` wide: `left` at the left end, `right` at the right end, at least `gap` between them.
    ///
    /// `left` is cut to make room; `right` is cut only when it does not fit alone.
    package static func justified(
        _ left: Line, _ right: Line, in room: Columns, gap: Columns = 1, fill: Role = .body
    ) -> Line {
        guard right.width > 0 else { return left.fitted(to: room, fill: fill) }
        let end = right.truncated(to: room)
        let start = left.truncated(to: max(room - end.width - gap, 0))
        return Line(start.spans + [.blank(room - start.width - end.width, fill)] + end.spans)
    }

    package static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
}
