import FoundationEssentials
import Models

/// Which pictures of a thread are drawn: what the settings say, and what the user said of single ones.
package struct ThreadPictures: Hashable, Sendable {
    package enum Mode: Hashable, Sendable {
        /// Each is drawn; those above the limit when the user asks.
        case on
        /// Each is drawn when the user asks.
        case ask
        case off
    }

    /// Whether a message's picture is drawn.
    package enum Showing: Hashable, Sendable {
        /// There is none, or none that could be drawn.
        case none
        /// It would be if the user asked.
        case offered
        /// - Parameter limit: Most bytes to fetch for it; `nil`: the user asked for it, however large.
        case drawn(limit: Int64?)
    }

    package var mode = Mode.off
    /// Most bytes that are fetched without being asked for.
    package var limit: Int64
    /// What the user said, by message.
    package var wishes: [UUID: Bool] = [:]

    package static let standardLimit: Int64 = 5 << 20

    package init(_ mode: Mode = .off, limit: Int64 = ThreadPictures.standardLimit) {
        self.mode = mode
        self.limit = limit
    }

    package func showing(_ message: Message) -> Showing {
        guard mode != .off, !message.isDeleted, message.position != nil, let file = message.attachment,
            !file.path.isEmpty, file.isDrawable
        else { return .none }
        switch wishes[message.id] {
        case true?: return .drawn(limit: nil)
        case false?: return .offered
        case nil: return mode == .on && (file.size ?? 0) <= limit ? .drawn(limit: limit) : .offered
        }
    }
}

extension Attachment {
    /// Its sender calls it a picture of a kind that is drawn.
    fileprivate var isDrawable: Bool {
        let kind = mimeType?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard let kind else {
            let ending = name?.split(separator: ".").dropFirst().last?.lowercased() ?? ""
            return ["png", "jpg", "jpeg", "gif", "webp"].contains(ending)
        }
        return ["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"].contains(String(kind))
    }
}

extension ThreadViewModel {
    /// Says which pictures are drawn.
    package func draw(_ pictures: ThreadPictures) {
        let wishes = state.pictures.wishes
        state.pictures = pictures
        state.pictures.wishes = wishes
    }

    /// Draws a message's picture, or puts it away.
    /// - Parameter isMissing: It should be there, and could not be drawn unasked.
    func togglePicture(of message: Message, isMissing: Bool) {
        switch state.pictures.showing(message) {
        case .none: break
        case .offered: state.pictures.wishes[message.id] = true
        case .drawn: state.pictures.wishes[message.id] = isMissing
        }
    }
}
