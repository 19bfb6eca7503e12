import FoundationEssentials
import Models
import Terminal
import ViewModels

/// What the first row tells.
struct TitleLook: Hashable {
    /// `ana@team`, one for each account.
    var accounts: [String]
    var unread: Int
    /// One for each account.
    var statuses: [ConnectionStatus]
}

/// What the terminal's window is called.
struct WindowTitle: Equatable {
    var unread: Int
    /// Of the open conversation; empty without one.
    var name: String

    @MainActor init(_ shown: Shown) {
        unread = shown.list.unreadTotal
        name = shown.thread?.conversation.title ?? ""
    }

    var text: CleanText {
        CleanText(
            (unread > 0 ? "(\(unread)) " : "") + (name.isEmpty ? "Pingline" : "\(name) - Pingline"))
    }
}

/// The first row: the program, whose it is, what is unread, how the link is.
func titleLine(_ look: TitleLook, width: Columns, glyphs: Glyphs) -> Line {
    let who =
        switch look.accounts.count {
        case 0: ""
        case 1: look.accounts[0]
        default: "\(look.accounts[0]) +\(look.accounts.count - 1)"
        }
    let left = Line(Span(" Pingline", .brand), Span("  \(who)", .statusBar))
    var right: [Span] = []
    if look.unread > 0 { right.append(Span("\(look.unread) unread", .unread)) }
    let isTight = width < left.width + 22
    let isFine = look.statuses.allSatisfy { $0 == .connected }
    // Where room is short, only trouble is worth telling.
    if let status = statusSpan(look.statuses), !isTight || !isFine {
        if !right.isEmpty { right.append(.blank(2)) }
        right.append(status)
    }
    right.append(.blank(1))
    return Line.justified(left, Line(right), in: width)
}

/// The links in a word or two: of several the worst decides.
private func statusSpan(_ statuses: [ConnectionStatus]) -> Span? {
    guard !statuses.isEmpty else { return nil }
    let away = statuses.filter { $0 != .connected }.count
    if away == 0 { return Span("connected", .statusBar) }
    let isTrying = statuses.contains(.connecting)
    let word = isTrying ? "connecting" : "offline"
    return Span(statuses.count > 1 ? "\(away) of \(statuses.count) \(word)" : word, .warning)
}

/// The banner's row, in words. The key is added where it helps.
/// - Parameter retryKey: The name of the key that tries at once.
/// - Returns: `nil` when there is nothing to tell.
func bannerLine(
    _ state: BannerState, account: String?, retryKey: String?, width: Columns, glyphs: Glyphs
) -> (line: Line, role: Role)? {
    let prefix = account.map { "\($0): " } ?? ""
    switch state {
    case .hidden: return nil
    case .reconnecting(_, let left, let waiting, let problem?) where problem.pace != nil:
        // The reason comes first: until somebody acts on it, no try is going to help.
        let pace = left.map { $0 > 0 ? "next try in \($0) s" : "next try now" } ?? "trying"
        let now = left == nil ? nil : retryKey.map { "\($0) now" }
        var parts = ["\(prefix)\(problem.userCopy.what)", pace, waitingText(waiting), now ?? ""]
        func line() -> Line { Line(" \(glyphs.warning) " + glyphs.joined(parts), .banner) }
        if problem == .intercepted {
            let without = parts
            parts[0] += " \(problem.userCopy.next)"
            if line().width > width { parts = without }
        }
        while parts.count > 1, line().width > width { parts.removeLast() }
        return (line(), .banner)
    case .reconnecting(let attempt, let left, let waiting, let problem):
        var start = prefix + "Reconnecting" + glyphs.more
        if attempt > 0 { start += " attempt \(attempt)" }
        if let left { start += (attempt > 0 ? "," : "") + (left > 0 ? " next in \(left) s" : " next now") }
        let now = left == nil ? nil : retryKey.map { "\($0) now" }
        let parts = [start, waitingText(waiting), now ?? ""]
        let why = problem.map { $0.userCopy.what } ?? ""
        let text = Line(" " + glyphs.joined(parts), .banner)
        let reason = Line(why + " ", .banner)
        guard !why.isEmpty, text.width + reason.width + 3 <= width else { return (text, .banner) }
        return (Line.justified(text, reason, in: width, fill: .banner), .banner)
    case .stopped(let problem, let waiting):
        let copy = problem.userCopy
        let parts = ["\(prefix)\(copy.what) \(copy.next)", waitingText(waiting)]
        return (Line(" \(glyphs.warning) " + glyphs.joined(parts), .banner), .banner)
    case .backOnline(let sent, let received):
        let parts = [
            "\(prefix)Back online", sent > 0 ? "\(sent) sent" : "", received > 0 ? "\(received) new" : "",
        ]
        return (Line(" " + glyphs.joined(parts), .bannerOK), .bannerOK)
    }
}

private func waitingText(_ count: Int) -> String {
    switch count {
    case ...0: ""
    case 1: "1 message waiting"
    default: "\(count) messages waiting"
    }
}

/// A notice's rows: one when all of it fits, else what happened and below it what to do.
/// - Parameter most: Rows at most, one or more; what does not fit is cut.
func noticeLines(_ notice: Notice, width: Columns, most: Int) -> [Line] {
    let role: Role =
        switch notice.tone {
        case .plain: .body
        case .good: .success
        case .bad: .error
        }
    let next = notice.next.map { [Span(" \($0)", .body)] } ?? []
    let whole = Line([Span(" \(notice.what)", role)] + next)
    guard whole.width > width, most > 1 else { return [whole.fitted(to: width)] }
    let room = max(width - 1, 1)
    let advice = notice.next.map { wrap($0, to: room) } ?? []
    let rows =
        wrap(notice.what, to: room).map { Line(Span(" ", role), Span($0, role)) }
        + advice.map { Line(Span(" ", .body), Span($0, .body)) }
    // All that is left over goes to the last row, whose end shows that something is missing.
    let last = Line(rows.dropFirst(most - 1).flatMap(\.spans))
    return (rows.prefix(most - 1) + (rows.count < most ? [] : [last])).map { $0.fitted(to: width) }
}
