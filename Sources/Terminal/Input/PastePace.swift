/// Notices a paste from a terminal without bracketed paste, so that its line ends send nothing and its tabs
/// go nowhere: they become pasted text.
///
/// A paste begins with a read that comes out of silence and has a line end with text behind it, or it
/// trickles in byte by byte, faster than fingers and slower than a program that drives us. It goes on until a
/// pause.
package struct PastePace: Sendable {
    /// After a pause this long a read stands for itself.
    package static let pause = Duration.milliseconds(50)
    private static let trickle = Duration.milliseconds(2)...Duration.milliseconds(12)
    /// Keys that must have trickled in before a line end.
    private static let trickledKeys = 3

    private var lastRead: Duration?
    private var trickled = 0
    private var isPaste = false

    package init() {}

    /// - Parameters:
    ///   - events: The events of one read.
    ///   - now: When it was read, on a clock that does not go back.
    /// - Returns: The events; in a paste, what stands for text is one `.paste`.
    package mutating func settle(_ events: [InputEvent], at now: Duration) -> [InputEvent] {
        let gap = lastRead.map { now - $0 }
        lastRead = now
        let isFresh = gap.map { $0 > Self.pause } ?? true
        if isFresh { isPaste = false }
        let isSingle = events.count == 1 && events[0].pastedText != nil
        let isTrickle = isSingle && gap.map(Self.trickle.contains) == true
        trickled = isTrickle ? trickled + 1 : 0
        isPaste = isPaste || isFresh && Self.hasInnerLineEnd(events)
        isPaste = isPaste || trickled >= Self.trickledKeys && events[0].isLineEnd
        return isPaste ? Self.merged(events) : events
    }

    private static func hasInnerLineEnd(_ events: [InputEvent]) -> Bool {
        guard let lineEnd = events.firstIndex(where: \.isLineEnd) else { return false }
        return events[lineEnd...].contains { $0.pastedText != nil && !$0.isLineEnd }
    }

    private static func merged(_ events: [InputEvent]) -> [InputEvent] {
        var merged: [InputEvent] = []
        var text = ""
        for event in events {
            if let more = event.pastedText {
                text += more
                continue
            }
            if !text.isEmpty { merged.append(.paste(text)) }
            text = ""
            merged.append(event)
        }
        return text.isEmpty ? merged : merged + [.paste(text)]
    }
}

extension InputEvent {
    fileprivate var isLineEnd: Bool { self == .key(.enter) || self == .key(.control("j")) }

    /// The text a terminal sent this key for, if it was a paste. A line end is kept as it came: CR LF is one.
    fileprivate var pastedText: String? {
        guard case .key(let key) = self else { return nil }
        return switch key {
        case .enter: "\r"
        case .control("j"): "\n"
        case .tab: "\t"
        default: key.typed.map(String.init)
        }
    }
}
