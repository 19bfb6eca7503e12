import FoundationEssentials
import Models
import Terminal

/// The signs the screens are drawn with: one set for UTF-8, one for terminals that have ASCII only.
package struct Glyphs: Hashable, Sendable {
    package let box: BoxStyle
    /// Stands before what is selected in the pane that has the focus.
    let bar: String
    /// Stands before what is selected in the others.
    let thinBar: String
    let quote: String
    let here: String
    let dot: String
    let file: String
    let down: String
    let up: String
    let more: String
    let reply: String
    let pencil: String
    let bullet: String
    let boxOff: String
    let boxOn: String
    let prompt: String
    let warning: String
    /// How far an own message has come; at most two columns each.
    private let sending: String
    private let sent: String
    private let delivered: String
    private let read: String

    package static let unicode = Glyphs(
        box: .unicode, bar: "▌", thinBar: "▏", quote: "┃", here: "●", dot: "·", file: "⤓", down: "↓", up: "↑",
        more: "…", reply: "↳", pencil: "✎", bullet: "•", boxOff: "○", boxOn: "●", prompt: ">", warning: "!",
        sending: "○", sent: "✓", delivered: "✓✓", read: "✔✔")

    package static let ascii = Glyphs(
        box: .ascii, bar: ">", thinBar: "|", quote: "|", here: "*", dot: "-", file: "v", down: "v", up: "^",
        more: "..", reply: "re", pencil: "ed", bullet: "*", boxOff: "( )", boxOn: "(*)", prompt: ">",
        warning: "!", sending: "..", sent: "+", delivered: "++", read: "##")

    /// The mark at the right of an own message.
    func mark(_ state: DeliveryState) -> Span {
        switch state {
        case .sending: Span(sending, .dim)
        case .sent: Span(sent, .mark)
        case .delivered: Span(delivered, .mark)
        case .read: Span(read, .success)
        case .failed: Span(warning, .error)
        }
    }

    /// The mark at the right of an own message that some of a group have read; past nine it only says so.
    func mark(readBy count: Int) -> Span {
        Span(count > 9 ? "9+" : "\(count)\(read.prefix(1))", .success)
    }

    /// The names of parts, with a dot between them.
    func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: " \(dot) ") }
}
