import FoundationEssentials
import Models
import Terminal
import ViewModels

extension SignInField {
    fileprivate var label: String {
        switch self {
        case .address: "Server"
        case .key: "Public key"
        case .kind: "You"
        case .email: "E-mail"
        case .username: "User name"
        case .displayName: "Shown name"
        case .password: "Password"
        }
    }
}

extension FirstRunChoice {
    fileprivate var words: (name: String, about: String) {
        switch self {
        case .tryItHere: ("Try it here", "People who answer, in this window. No set-up.")
        case .signIn: ("Sign in", "To your team's server, or make an account there.")
        case .telegram: ("Telegram", "With the account you have.")
        }
    }
}

extension Screen {
    func drawSignIn(_ state: SignInViewModel.State, into frame: inout Frame) {
        let width = popupWidth(54)
        var rows: [PopupRow] = []
        var cursor: Point?
        for field in state.fields {
            let isFocused = field == state.field && !state.isBusy
            let mark = Span(isFocused ? "\(style.glyphs.bar) " : "  ", .brand)
            let label = Line([mark] + Line(field.label, isFocused ? .heading : .dim).fitted(to: 12).spans)
            guard field != .kind else {
                rows.append(PopupRow(label + kindLine(state.isNew)))
                continue
            }
            let text = state.texts[field] ?? TextBuffer()
            let line = fieldLine(label, text, width: width, isSecret: field == .password)
            if isFocused { cursor = Point(column: line.cursor, row: rows.count) }
            let example = text.isEmpty && field == .address ? "https://chat.example.org" : ""
            rows.append(PopupRow(line.line + Line(example, .dim)))
        }
        if state.isBusy { rows += [.empty, PopupRow(Line("Signing in\(style.glyphs.more)", .dim))] }
        rows += troubleRows(state.trouble.map { ($0.what, $0.next) }, width: width)
        let done = state.field == state.fields.last ? (state.isNew ? "signs up" : "signs in") : "next"
        frame.popup(
            rows, title: "Sign in to a server",
            footer: keyHints(.form, [(.accept, done), (.nextField, "next field"), (.cancel, "closes")]),
            width: width, glyphs: style.glyphs, cursor: cursor)
    }

    /// Both ways are named, and the chosen one is marked.
    private func kindLine(_ isNew: Bool) -> Line {
        let (off, on) = (style.glyphs.boxOff, style.glyphs.boxOn)
        return Line(
            Span("\(isNew ? off : on) have an account", isNew ? .dim : .body), .blank(2),
            Span("\(isNew ? on : off) am new here", isNew ? .body : .dim))
    }

    func drawFirstRun(_ state: FirstRunViewModel.State, into frame: inout Frame) {
        let width = popupWidth(66)
        var rows = [PopupRow(Line("A messenger for people who live in a shell.", .body)), .empty]
        for (place, choice) in state.choices.enumerated() {
            let (name, about) = choice.words
            let room = max(width - 17, 0)
            let isWide = room > 30
            let line = Line(Line(name, .heading).fitted(to: isWide ? 13 : width - 2).spans)
            let texts = isWide ? wrap(about, to: room) : wrap(about, to: width - 4)
            let first = isWide ? line + Line(Span("  ", .body), Span(texts[0], .body)) : line
            rows.append(choiceRow(first, isSelected: place == state.selected))
            rows += texts.dropFirst(isWide ? 1 : 0).map {
                PopupRow(Line([.blank(isWide ? 17 : 4), Span($0, .dim)]))
            }
        }
        if state.isBusy { rows += [.empty, PopupRow(Line("One moment\(style.glyphs.more)", .dim))] }
        rows += troubleRows(state.trouble.map { ($0.what, $0.next) }, width: width)
        frame.popup(
            rows, title: "Welcome to Pingline",
            footer: keyHints(.picker, [(.accept, "chooses"), (.cancel, "quits")]), width: width,
            glyphs: style.glyphs)
    }
}
