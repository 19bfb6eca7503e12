import FoundationEssentials
import Models
import Terminal
import ViewModels

/// Everything beside the message itself that decides how it is laid out.
struct MessageLook: Hashable {
    /// Untrusted text; `nil` when the sender's account is gone.
    var sender: String?
    var hue = Role.body
    /// The sender is named once for messages in a row.
    var showsName = true
    var isOwn = false
    /// Columns for the name.
    var nameWidth: Columns = 6
    /// Who is quoted, and what they said.
    var quote: QuoteLook?
    /// Local day and time as text, for they depend on the zone.
    var time = ""
    /// How many of a group have read it, as long as not all of them have; `nil` where there is nothing to count.
    var readers: Int?
    /// How far its file has come on its way out, in percent.
    var uploaded: Int?
    var picture: PictureLook?
}

/// A message laid out.
struct MessageBlock: Equatable {
    var lines: [Line]
    /// The picture that lies over some of them.
    var picture: PlacedMosaic?
}

/// A picture in its place in a block of rows.
struct PlacedMosaic: Equatable {
    var mosaic: Mosaic
    var row: Int
    var column: Columns
}

/// The quoted message above a reply.
struct QuoteLook: Hashable {
    var sender: String
    var hue: Role
    /// `nil`: the message is not at hand.
    var body: String?
}

/// Lays out messages of one width: time and sender once, the body wrapped beside them, trouble underneath.
struct MessageLayout: Hashable {
    /// Room for the whole block. However narrow, the body gets at least 8 columns.
    var width: Columns
    var glyphs: Glyphs

    /// Below this the body stands under its sender instead of beside.
    static let stackedBelow: Columns = 40
    /// Columns at the right end: a space, the delivery mark, a space.
    static let markRoom: Columns = 4

    var isStacked: Bool { width < Self.stackedBelow }

    func lines(_ message: Message, _ look: MessageLook) -> [Line] { block(message, look).lines }

    func block(_ message: Message, _ look: MessageLook) -> MessageBlock {
        let head = head(look)
        let indent: Columns = isStacked ? 2 : head.width
        let room = room(beside: indent)
        var body = body(of: message, look, room: room)
        var picture = addPicture(look.picture, at: indent, to: &body, room: room)
        addReactions(message.reactions, to: &body, room: room)
        if isStacked {
            let rows = body.map { Line([.blank(2)] + $0.spans) }
            if look.showsName { picture?.row += 1 }
            return MessageBlock(
                lines: finish(look.showsName ? [head] + rows : rows, message, look), picture: picture)
        }
        let rows = body.enumerated().map { row, line in
            Line((row == 0 ? head.spans : [.blank(indent)]) + line.spans)
        }
        return MessageBlock(lines: finish(rows, message, look), picture: picture)
    }

    /// Columns for the body beside the head.
    func bodyRoom(beside look: MessageLook) -> Columns { room(beside: isStacked ? 2 : head(look).width) }

    private func room(beside indent: Columns) -> Columns { max(width - indent - Self.markRoom, 8) }

    /// One column for the selection, the time, the sender.
    private func head(_ look: MessageLook) -> Line {
        let name = look.sender ?? "(gone)"
        if isStacked {
            let time = Line(" \(look.time)", .time)
            return (Line(" \(name)", look.hue).truncated(to: max(width - time.width, 3)) + time)
                .truncated(to: max(width, 9))
        }
        let sender = Line(look.showsName ? name : "", look.hue).fitted(to: look.nameWidth)
        return Line([Span(" \(look.time) ", .time)] + sender.spans + [.blank(1)])
    }

    private func body(of message: Message, _ look: MessageLook, room: Columns) -> [Line] {
        var lines: [Line] = []
        if let quote = look.quote {
            let who = Span("\(glyphs.quote) \(quote.sender)", quote.hue)
            let text = Span(quote.body.map { ": \($0)" } ?? ": an earlier message", .quote)
            lines.append(Line(who, text).truncated(to: room))
        }
        if message.isDeleted {
            lines.append(Line("message deleted", .dim))
            return lines
        }
        if !message.body.isEmpty {
            lines += wrap(message.body.withoutTrailingBreaks, to: room).map { Line($0, .body) }
        }
        if let file = fileLine(of: message, look) { lines.append(file.truncated(to: room)) }
        if lines.isEmpty { lines.append(.empty) }
        if message.editedAt != nil { append(Span("(edited)", .dim), to: &lines, room: room) }
        return lines
    }

    private func fileLine(of message: Message, _ look: MessageLook) -> Line? {
        if let file = message.attachment {
            return FileWords.line(file, uploaded: look.uploaded, glyphs)
        }
        return message.imageURL == nil ? nil : Line("\(glyphs.file) picture", .link)
    }

    /// Puts something small behind the text where it fits, or else on a row of its own.
    private func append(_ span: Span, to lines: inout [Line], room: Columns) {
        if let last = lines.last, last.width + span.width + 1 <= room, last.width > 0 {
            lines[lines.count - 1] = Line(last.spans + [.blank(1), span])
        } else {
            lines.append(Line(span))
        }
    }

    /// Adds the rows that a picture takes. Blanks as wide as it lie under it, so that nothing else comes there.
    private func addPicture(
        _ look: PictureLook?, at column: Columns, to lines: inout [Line], room: Columns
    ) -> PlacedMosaic? {
        switch look {
        case nil: return nil
        case .offered(let key):
            if !key.isEmpty { append(Span("(\(key) draws it)", .hint), to: &lines, room: room) }
            return nil
        case .coming(let rows):
            if rows > 0 { lines.append(Line(glyphs.more, .dim)) }
            lines += repeatElement(.empty, count: max(rows - 1, 0))
            return nil
        case .failed(let words):
            lines += wrap(words, to: room).map { Line($0, .dim) }
            return nil
        case .drawn(let mosaic, let rows):
            let place = PlacedMosaic(mosaic: mosaic, row: lines.count, column: column)
            lines += repeatElement(Line(.blank(min(mosaic.size.columns, room))), count: rows)
            return place
        }
    }

    private func addReactions(_ reactions: [Reaction], to lines: inout [Line], room: Columns) {
        guard !reactions.isEmpty else { return }
        var line = Line.empty
        for reaction in reactions {
            let text = "\(ReactionSymbol.sign(of: reaction.symbol)) \(reaction.count)"
            let span = Span(reaction.byMe ? "[\(text)]" : text, .reaction)
            line = Line(line.spans + (line.spans.isEmpty ? [] : [.blank(2)]) + [span])
        }
        if let last = lines.last, last.width + line.width + 2 <= room {
            lines[lines.count - 1] = Line.justified(last, line, in: room)
        } else {
            lines.append(line.truncated(to: room).rightAligned(in: room))
        }
    }

    /// Adds the delivery mark to the last row of the text, and the words of a failure below it.
    private func finish(_ rows: [Line], _ message: Message, _ look: MessageLook) -> [Line] {
        guard look.isOwn, !message.isDeleted, let last = rows.last else { return rows }
        let mark = look.readers.map { glyphs.mark(readBy: $0) } ?? glyphs.mark(message.deliveryState)
        var rows = rows
        rows[rows.count - 1] = Line.justified(last, Line([mark, .blank(1)]), in: width)
        if message.deliveryState == .failed {
            let copy = (message.failure ?? .refused(code: "")).userCopy
            let indent: Columns = isStacked ? 2 : look.nameWidth + 8
            let words = wrap("\(copy.what) \(copy.next)", to: max(width - indent - 1, 8))
            rows += words.map { Line([.blank(indent), Span($0, .error)]) }
        }
        return rows
    }
}

extension String {
    /// Line breaks at the end would only draw empty rows.
    fileprivate var withoutTrailingBreaks: String {
        guard let last = unicodeScalars.last, last.properties.isWhitespace else { return self }
        return trimmedAtEnd
    }
}
