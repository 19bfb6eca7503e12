import FoundationEssentials
import Models
import Terminal

/// The laid-out lines of messages that were drawn lately: typing a letter must not wrap the thread again.
///
/// An entry is used only for an equal message, look and layout, so that nothing stale can be drawn.
struct LineCache {
    private struct Entry {
        let message: Message
        let look: MessageLook
        let block: MessageBlock
    }

    private var entries: [UUID: Entry] = [:]
    private var layout: MessageLayout?

    /// Messages kept; a few screens.
    static let limit = 400

    mutating func block(_ message: Message, _ look: MessageLook, _ layout: MessageLayout) -> MessageBlock {
        if self.layout != layout {
            entries = [:]
            self.layout = layout
        }
        if let entry = entries[message.id], entry.look == look, entry.message == message {
            return entry.block
        }
        if entries.count >= Self.limit { entries = [:] }
        let block = layout.block(message, look)
        entries[message.id] = Entry(message: message, look: look, block: block)
        return block
    }
}
