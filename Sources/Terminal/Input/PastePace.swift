/// Notices text that came too fast to be typed, from terminals without bracketed paste, so that its line ends
/// send nothing: they become a pasted newline.
///
/// A line end counts as pasted when more text follows it in the same read, or when it and at least two keys
/// before it came one by one at most 12 ms apart. Letters need no such care; they are text either way.
package struct PastePace: Sendable {
    /// Longest pause between the bytes of a paste that trickles in.
    package static let pause = Duration.milliseconds(12)
    private static let keysNeeded = 2

    private var lastRead: Duration?
    /// Reads of one key each, in quick succession.
    private var quickKeys = 0
    private var isBurst = false

    package init() {}

    /// - Parameters:
    ///   - events: The events of one read.
    ///   - now: When it was read, on a clock that does not go back.
    /// - Returns: The events, pasted line ends replaced.
    package mutating func settle(_ events: [InputEvent], at now: Duration) -> [InputEvent] {
        let isQuick = lastRead.map { now - $0 <= Self.pause } ?? false
        lastRead = now
        if !isQuick { (quickKeys, isBurst) = (0, false) }
        guard events.count > 1 else {
            guard let event = events.first else { return events }
            isBurst = isBurst || quickKeys >= Self.keysNeeded
            let settled = isBurst && event.isLineEnd ? InputEvent.paste("\n") : event
            quickKeys = event.isText || event.isLineEnd ? quickKeys + 1 : 0
            return [settled]
        }
        quickKeys = 0
        let lastText = events.lastIndex { $0.isText }
        let settled = events.enumerated().map { index, event in
            let isInside = lastText.map { index < $0 } ?? false
            return event.isLineEnd && (isInside || isBurst) ? InputEvent.paste("\n") : event
        }
        isBurst = isBurst || settled.contains(.paste("\n"))
        return settled
    }
}

extension InputEvent {
    fileprivate var isLineEnd: Bool { self == .key(.enter) || self == .key(.control("j")) }

    fileprivate var isText: Bool {
        if case .key(let key) = self { key.typed != nil } else { false }
    }
}
