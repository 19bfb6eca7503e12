import FoundationEssentials
import Models

/// The rows of a thread near the screen: one unbroken run of messages, however long the thread is.
///
/// While the run reaches the newest message, live ones join its end. Once it was scrolled away from it, the
/// newest ones are kept apart in a small tail, so that going back down needs no loading.
package struct MessageWindow: Equatable, Sendable {
    /// In thread order: by position, then id; waiting ones last.
    package private(set) var messages: [Message] = []
    /// Whether there may be older messages than the first.
    package private(set) var hasOlder = true
    /// Whether there are newer messages than the last, kept in the tail or only stored.
    package private(set) var hasNewer = false
    private var ids: Set<UUID> = []
    /// The newest messages of the thread while `hasNewer`; empty otherwise.
    private var tail: [Message] = []

    /// Messages held: at `limit + slack` the run is cut back to `limit`, so that cutting is rare.
    static let limit = 400
    static let slack = 200
    static let tailLimit = 100

    /// What became of a message that was offered.
    package enum Merge: Sendable { case added, changed, tooOld, keptForLater }

    package init() {}

    package var isEmpty: Bool { messages.isEmpty }

    package func contains(_ id: UUID) -> Bool { ids.contains(id) }

    /// The place of a message; searched from the newest, which is asked for most.
    package func index(of id: UUID) -> Int? {
        ids.contains(id) ? messages.lastIndex { $0.id == id } : nil
    }

    package subscript(id: UUID) -> Message? {
        index(of: id).map { messages[$0] } ?? tail.last { $0.id == id }
    }

    /// The newest message of the thread, also when the run does not reach it.
    package var newest: Message? { hasNewer ? tail.last : messages.last }

    /// Takes a message as it is now: new, changed, or confirmed and thereby moved to its place.
    ///
    /// One that belongs before the run is not taken, or there would be a hole: it is loaded with its page.
    package mutating func merge(_ message: Message) -> Merge {
        if let index = index(of: message.id) { return update(at: index, with: message) }
        if hasNewer { return mergeBelow(message) }
        guard let last = messages.last, !Message.isOrdered(last, before: message) else {
            messages.append(message)
            ids.insert(message.id)
            return .added
        }
        let place = Self.place(of: message, in: messages)
        // A run of waiting ones alone has no beginning yet: whatever is confirmed begins it.
        guard place > 0 || !hasOlder || messages.first?.position == nil else { return .tooOld }
        messages.insert(message, at: place)
        ids.insert(message.id)
        return .added
    }

    private mutating func update(at index: Int, with message: Message) -> Merge {
        // What a failing disk did not keep is shown from memory, and may come behind what is newer.
        guard message.version >= messages[index].version else { return .changed }
        let fitsAfter = index == 0 || Message.isOrdered(messages[index - 1], before: message)
        let fitsBefore =
            index == messages.count - 1 || Message.isOrdered(message, before: messages[index + 1])
        if fitsAfter && fitsBefore {
            messages[index] = message
            return .changed
        }
        messages.remove(at: index)
        let place = Self.place(of: message, in: messages)
        // Confirmed long after it was sent, it belongs before the run: between the two anything may be missing.
        guard place > 0 || !hasOlder || messages.first?.position == nil else {
            ids.remove(message.id)
            return .tooOld
        }
        messages.insert(message, at: place)
        return .changed
    }

    private mutating func mergeBelow(_ message: Message) -> Merge {
        if let index = tail.lastIndex(where: { $0.id == message.id }) {
            guard message.version >= tail[index].version else { return .keptForLater }
            tail.remove(at: index)
        }
        let place = Self.place(of: message, in: tail)
        if place == 0, tail.count >= Self.tailLimit {
            let isInside = messages.last.map { Message.isOrdered(message, before: $0) } ?? false
            guard isInside else { return .keptForLater }
            let place = Self.place(of: message, in: messages)
            guard place > 0 || !hasOlder else { return .tooOld }
            messages.insert(message, at: place)
            ids.insert(message.id)
            return .added
        }
        tail.insert(message, at: place)
        if tail.count > Self.tailLimit { tail.removeFirst() }
        return .keptForLater
    }

    /// Where `message` goes in a sorted list.
    private static func place(of message: Message, in messages: [Message]) -> Int {
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if Message.isOrdered(messages[middle], before: message) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The newest messages alone, for a thread that is left; `nil` while the run does not reach them.
    func newestOnly(_ limit: Int) -> MessageWindow? {
        guard !hasNewer, !messages.isEmpty else { return nil }
        guard messages.count > limit else { return self }
        var window = MessageWindow()
        window.messages = messages.suffix(limit)
        window.ids = Set(window.messages.map(\.id))
        return window
    }

    /// Drops what is not among `kept`.
    mutating func keepOnly(_ kept: Set<UUID>) {
        guard !ids.isSubset(of: kept) else { return }
        messages.removeAll { !kept.contains($0.id) }
        ids.formIntersection(kept)
    }

    package mutating func remove(_ id: UUID) {
        tail.removeAll { $0.id == id }
        guard let index = index(of: id) else { return }
        messages.remove(at: index)
        ids.remove(id)
    }

    // MARK: Pages

    /// Puts a page of older messages before the run.
    package mutating func prepend(_ page: [Message], reachedBeginning: Bool) {
        let first = messages.first
        let new = page.filter { message in
            !ids.contains(message.id) && (first.map { Message.isOrdered(message, before: $0) } ?? true)
        }
        messages.insert(contentsOf: new, at: 0)
        ids.formUnion(new.map(\.id))
        hasOlder = !reachedBeginning
    }

    /// Puts newer messages after the run; where they meet the tail, the run reaches the newest again.
    /// - Parameter page: Oldest first; an empty one means that nothing lies between the run and the tail.
    package mutating func append(_ page: [Message]) {
        guard hasNewer else { return }
        let last = messages.last
        let new = page.filter { message in
            !ids.contains(message.id) && (last.map { Message.isOrdered($0, before: message) } ?? true)
        }
        messages += new
        ids.formUnion(new.map(\.id))
        let meets =
            new.last.map { end in tail.first.map { !Message.isOrdered(end, before: $0) } ?? true } ?? true
        if meets { joinTail() }
    }

    /// Replaces the run by one around some message, after a jump.
    package mutating func replace(with page: [Message]) {
        guard !page.isEmpty else { return }
        if !hasNewer { tail = Array(messages.suffix(Self.tailLimit)) }
        messages = page
        ids = Set(page.map(\.id))
        (hasOlder, hasNewer) = (true, true)
        if let first = tail.first, let end = page.last, !Message.isOrdered(end, before: first) { joinTail() }
    }

    /// Goes back to the newest messages.
    package mutating func returnToNewest() {
        guard hasNewer else { return }
        messages = []
        ids = []
        hasOlder = true
        joinTail()
    }

    private mutating func joinTail() {
        let rest = tail.filter { !ids.contains($0.id) }
        messages += rest
        messages.sort(by: Message.isOrdered(_:before:))
        ids.formUnion(rest.map(\.id))
        tail = []
        hasNewer = false
    }

    /// Cuts the run back to its limit at the end that is farther from what is looked at.
    /// - Parameter anchor: The message at the lower edge of the screen; `nil` is the newest.
    package mutating func trim(around anchor: UUID?) {
        guard messages.count > Self.limit + Self.slack else { return }
        let excess = messages.count - Self.limit
        let seen = anchor.flatMap { index(of: $0) } ?? messages.count - 1
        if seen >= messages.count / 2 {
            ids.subtract(messages.prefix(excess).map(\.id))
            messages.removeFirst(excess)
            hasOlder = true
            return
        }
        if !hasNewer { tail = Array(messages.suffix(Self.tailLimit)) }
        ids.subtract(messages.suffix(excess).map(\.id))
        messages.removeLast(excess)
        hasNewer = true
    }
}
