/// A rectangle of cells.
package struct Area: Hashable, Sendable {
    package var origin: Point
    package var size: Size

    package init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// The whole of something of this size.
    package init(_ size: Size) { self.init(origin: .origin, size: size) }

    /// The first column right of it.
    package var endColumn: Columns { origin.column + size.columns }
    /// The first row below it.
    package var endRow: Int { origin.row + size.rows }

    /// What is left inside a frame one cell thick; never below 0 in either direction.
    package var inset: Area {
        Area(
            origin: Point(column: origin.column + 1, row: origin.row + 1),
            size: Size(columns: max(size.columns - 2, 0), rows: max(size.rows - 2, 0)))
    }
}

/// The pieces frames and rules are drawn with.
package struct BoxStyle: Hashable, Sendable {
    let horizontal: CleanText
    let vertical: Cluster
    let topLeft: CleanText
    let topRight: CleanText
    let bottomLeft: CleanText
    let bottomRight: CleanText

    private init(_ pieces: String) {
        let clusters = CleanText(pieces).clusters
        let all = clusters.map { CleanText([$0]) }
        (horizontal, vertical) = (all[0], clusters[1])
        (topLeft, topRight, bottomLeft, bottomRight) = (all[2], all[3], all[4], all[5])
    }

    package static let unicode = BoxStyle("─│┌┐└┘")
    package static let ascii = BoxStyle("-|++++")

    /// A horizontal rule.
    package func rule(_ width: Columns, _ role: Role) -> Span {
        Span(CleanText(repeatElement(horizontal.clusters, count: max(width.cells, 0)).joined()), role)
    }

    /// A rule with a word in the middle, as wide as `width`: `── Today ──`.
    package func rule(_ width: Columns, around title: Line, _ role: Role) -> Line {
        let title = title.truncated(to: max(width - 4, 0))
        guard title.width > 0 else { return Line(rule(width, role)) }
        let left = (width - title.width - 2) / 2
        let right = width - title.width - 2 - left
        let gap = Span.blank(1, role)
        return Line([rule(left, role), gap] + title.spans + [gap, rule(right, role)])
    }
}

extension Frame {
    /// Draws a frame just inside `area`, with a title in its upper edge. Too small an area gets what fits.
    package mutating func box(
        _ area: Area, _ style: BoxStyle = .unicode, _ role: Role = .border, title: Line = .empty,
        footer: Line = .empty
    ) {
        guard area.size.columns >= 2, area.size.rows >= 2 else { return }
        let inner = area.size.columns - 2
        let last = area.endRow - 1
        let top =
            Line(Span(style.topLeft, role)) + edge(inner, title, style, role)
            + Line(Span(style.topRight, role))
        let bottom =
            Line(Span(style.bottomLeft, role)) + edge(inner, footer, style, role)
            + Line(Span(style.bottomRight, role))
        draw(top, at: area.origin, width: area.size.columns)
        draw(bottom, at: Point(column: area.origin.column, row: last), width: area.size.columns)
        for row in (area.origin.row + 1)..<max(last, area.origin.row + 1) {
            draw(style.vertical, role, at: Point(column: area.origin.column, row: row))
            draw(style.vertical, role, at: Point(column: area.endColumn - 1, row: row))
        }
    }

    /// `─ title ───`, without the corners.
    private func edge(_ width: Columns, _ title: Line, _ style: BoxStyle, _ role: Role) -> Line {
        let text = title.truncated(to: max(width - 2, 0))
        guard text.width > 0 else { return Line(style.rule(width, role)) }
        let gap = Span.blank(1, role)
        return Line([gap] + text.spans + [gap, style.rule(width - text.width - 2, role)])
    }
}
