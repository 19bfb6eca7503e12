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

    /// The message at the top of the screen is there in two forms.
    private struct Key: Hashable {
        let id: UUID
        let showsName: Bool
    }

    private var entries: [Key: Entry] = [:]
    private var layout: MessageLayout?

    /// Messages kept; a few screens.
    static let limit = 400

    mutating func block(_ message: Message, _ look: MessageLook, _ layout: MessageLayout) -> MessageBlock {
        if self.layout != layout {
            entries = [:]
            self.layout = layout
        }
        let key = Key(id: message.id, showsName: look.showsName)
        if let entry = entries[key], entry.look == look, entry.message == message {
            return entry.block
        }
        if entries.count >= Self.limit { entries = [:] }
        let block = layout.block(message, look)
        entries[key] = Entry(message: message, look: look, block: block)
        return block
    }
}
