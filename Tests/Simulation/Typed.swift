import FoundationEssentials
import Models

/// One message that somebody typed, and what may be true of it.
final class Typed {
    /// Begins a text that the server refuses for a while.
    static let badMark = "✗"

    let text: String
    let room: UUID
    /// Known once the engine said so.
    var id: UUID?
    var wasDropped = false
    /// The store could not keep it, so the text is still its writer's: it must not be sent.
    var wasNotTaken = false

    init(text: String, room: UUID) {
        self.text = text
        self.room = room
    }

    var isBad: Bool { text.hasPrefix(Self.badMark) }
}

/// What people want, as far as it is certain: a wish whose call did not return may have been kept or not.
struct Wishes {
    struct ReactionKey: Hashable {
        let messageID: UUID
        let userID: UUID
        let symbol: String
    }

    private(set) var bodies: [UUID: Set<String>] = [:]
    private(set) var deletions: [UUID: Set<Bool>] = [:]
    private(set) var reactions: [ReactionKey: Set<Bool>] = [:]
    private(set) var read: [Place: Int64] = [:]

    struct Place: Hashable {
        let userID: UUID
        let room: UUID
    }

    mutating func begin(body: String, of id: UUID) { bodies[id, default: []].insert(body) }
    mutating func end(body: String, of id: UUID) { bodies[id] = [body] }
    mutating func beginDeletion(of id: UUID) { deletions[id, default: [false]].insert(true) }
    mutating func endDeletion(of id: UUID) { deletions[id] = [true] }

    mutating func begin(_ isOn: Bool, _ key: ReactionKey) { reactions[key, default: [false]].insert(isOn) }
    mutating func end(_ isOn: Bool, _ key: ReactionKey) { reactions[key] = [isOn] }

    mutating func hasRead(_ position: Int64, _ place: Place) {
        read[place] = max(read[place] ?? .min, position)
    }
}
