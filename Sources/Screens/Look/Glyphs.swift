import FoundationEssentials
import Models
import Terminal

/// The signs the screens are drawn with: one set for UTF-8, one for terminals that have ASCII only.
package enum Glyphs: Hashable, Sendable {
    case unicode, ascii

    package var box: BoxStyle { self == .unicode ? .unicode : .ascii }
    /// Stands before what is selected in the pane that has the focus.
    var bar: String { either("▌", ">") }
    /// Stands before what is selected in the others.
    var thinBar: String { either("▏", "|") }
    var quote: String { either("┃", "|") }
    var here: String { either("●", "*") }
    var dot: String { either("·", "-") }
    var file: String { either("⤓", "v") }
    var down: String { either("↓", "v") }
    var up: String { either("↑", "^") }
    var more: String { either("…", "..") }
    var reply: String { either("↳", "re") }
    var pencil: String { either("✎", "ed") }
    var bullet: String { either("•", "*") }
    var boxOff: String { either("○", "( )") }
    var boxOn: String { either("●", "(*)") }
    var prompt: String { ">" }
    var warning: String { "!" }
    /// How far an own message has come; at most two columns each.
    private var sending: String { either("○", "..") }
    private var sent: String { either("✓", "+") }
    private var delivered: String { either("✓✓", "++") }
    private var read: String { either("✔✔", "##") }

    private func either(_ unicode: String, _ ascii: String) -> String {
        self == .unicode ? unicode : ascii
    }

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
