import FoundationEssentials
import Models
import Terminal
import ViewModels

extension Screen {
    /// The lines of a page that is only read.
    func lines(of page: Page, _ model: AppModel, width: Columns) -> (title: String, lines: [Line]) {
        switch page {
        case .help(let focus): return ("Keys", helpLines(for: focus, width: width))
        case .members: return ("Who is here", memberLines(model, width: width))
        case .accounts: return ("Accounts", accountLines(model, width: width))
        case .info(let id): return ("Message", infoLines(id, model, width: width))
        }
    }

    func pageWidth(_ page: Page) -> Columns {
        switch page {
        case .help: popupWidth(78)
        case .members, .info: popupWidth(54)
        case .accounts: popupWidth(66)
        }
    }

    /// Rows of a page that fit on the screen.
    var pageRows: Int { max(size.rows - 4, 1) }

    func drawPage(_ page: Page, _ scrolled: Int, _ model: AppModel, into frame: inout Frame) {
        let width = pageWidth(page)
        let (title, all) = lines(of: page, model, width: width)
        let start = min(scrolled, max(all.count - pageRows, 0))
        let shown = all[start..<min(start + pageRows, all.count)].map { PopupRow($0) }
        let more = start + pageRows < all.count ? Line("\(style.glyphs.down) more", .dim) : .empty
        frame.popup(shown, title: title, footer: more, width: width, glyphs: style.glyphs)
    }

    private func memberLines(_ model: AppModel, width: Columns) -> [Line] {
        guard let state = model.thread?.state else { return [] }
        let members = state.members.filter { !$0.hasLeft }
            .sorted { $0.person.displayName.lowercased() < $1.person.displayName.lowercased() }
        let names = names(of: state)
        guard !members.isEmpty else { return [Line("Loading\(style.glyphs.more)", .dim)] }
        return members.map { member in
            let isHere = state.present.contains(member.id)
            let mark = Span(isHere ? "\(style.glyphs.here) " : "  ", .success)
            let left = Line(
                mark, Span(member.person.displayName, names.hue(member.id)),
                Span("  @\(member.person.username)", .dim))
            var about: [String] = []
            if member.id == state.ownID { about.append("you") }
            if member.isManager { about.append("manages") }
            if isHere { about.append("here now") }
            return Line.justified(left, Line(style.glyphs.joined(about), .dim), in: width)
        }
    }

    private func infoLines(_ id: UUID, _ model: AppModel, width: Columns) -> [Line] {
        guard let state = model.thread?.state, let message = state.window[id] else {
            return [Line("The message is no longer there.", .dim)]
        }
        let names = names(of: state)
        var rows: [(String, String)] = [
            ("From", names.name(message.senderID) ?? "somebody whose account is gone"),
            ("Written", style.clock.fullText(message.createdAt)),
        ]
        if let edited = message.editedAt { rows.append(("Edited", style.clock.fullText(edited))) }
        if let deleted = message.deletedAt { rows.append(("Deleted", style.clock.fullText(deleted))) }
        if state.isOwn(message) {
            rows.append(("State", words(for: message)))
            let readers = readers(of: message, state, names)
            if !readers.isEmpty { rows.append(("Read by", readers)) }
        }
        for reaction in message.reactions {
            let mine = reaction.byMe ? ", you too" : ""
            rows.append((ReactionSymbol.sign(of: reaction.symbol), "\(reaction.count)\(mine)"))
        }
        return rows.flatMap { label, text in labelled(label, text, .body, width: width) }
    }

    private func words(for message: Message) -> String {
        switch message.deliveryState {
        case .sending: "waits to be sent"
        case .sent: "on the server"
        case .delivered: "received by everybody"
        case .read: "read by everybody"
        case .failed: (message.failure ?? .refused(code: "")).userCopy.what
        }
    }

    private func readers(of message: Message, _ state: ThreadState, _ names: ThreadNames) -> String {
        guard let position = message.position else { return "" }
        return state.members.filter { $0.id != state.ownID && ($0.readPosition ?? .min) >= position }
            .compactMap { names.name($0.id) }.joined(separator: ", ")
    }
}
