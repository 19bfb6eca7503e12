import FoundationEssentials
import Models

/// What the composer's text will become.
package enum ComposerMode: Hashable, Sendable {
    case message
    case reply(to: Message)
    case edit(Message)
}

/// What the composer tells about itself, until the next key.
package enum ComposerHint: Hashable, Sendable {
    /// There is nothing to send.
    case nothingToSend
    /// A message cannot become empty.
    case emptyEdit
    /// The store could not keep the text: it is still here.
    case notKept(UserCopy)
}

/// Everything the composer shows.
package struct ComposerState: Hashable, Sendable {
    package var text = TextBuffer(isMultiline: true)
    package var mode = ComposerMode.message
    package var hint: ComposerHint?
    /// What goes with the next message.
    package var file: OutgoingFile?

    package init() {}
}

/// Texts that were sent, for bringing one back; newest last. Shared by all composers.
@MainActor
package final class SentHistory {
    package private(set) var texts: [String] = []
    static let limit = 200

    package init() {}

    /// A text that is sent again moves to the end instead of standing there twice.
    package func add(_ text: String) {
        texts.removeAll { $0 == text }
        texts.append(text)
        if texts.count > Self.limit { texts.removeFirst(texts.count - Self.limit) }
    }
}

/// Something handed over that is not stored yet.
enum Outgoing {
    case message(String, replyTo: UUID?, file: OutgoingFile?)
    case edit(UUID, String)

    var text: String {
        switch self {
        case .message(let text, _, _), .edit(_, let text): text
        }
    }

    var file: OutgoingFile? {
        if case .message(_, _, let file) = self { file } else { nil }
    }
}
