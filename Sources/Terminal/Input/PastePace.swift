/// Notices a paste from a terminal without bracketed paste, so that its line ends send nothing and its tabs
/// go nowhere: they become pasted text.
///
/// Lines that come at once out of silence are held until they stop coming. If they end with text, or have an
/// empty line among them, they are a paste; if each ends with Enter, they were typed by somebody quick, or
/// over a link that stood still. Text may also trickle in byte by byte, faster than fingers and slower than a
/// program.
package struct PastePace: Sendable {
    /// After a pause this long a read stands for itself.
    package static let pause = Duration.milliseconds(50)
    /// What is held is decided after this long without more of it.
    package static let hold = Duration.milliseconds(15)
    private static let trickle = Duration.milliseconds(2)...Duration.milliseconds(12)
    /// Keys that must have trickled in before a line end.
    private static let trickledKeys = 3
    /// No more events than this are held.
    private static let mostHeld = 20_000

    private var lastRead: Duration?
    private var trickled = 0
    private var isPaste = false
    private var held: [InputEvent] = []

    package init() {}

    /// Events are held. The caller waits `hold` for more and then calls `release()`.
    package var isHolding: Bool { !held.isEmpty }

    /// - Parameters:
    ///   - events: The events of one read.
    ///   - now: When it was read, on a clock that does not go back.
    /// - Returns: The events that are decided; in a paste, what stands for text is one `.paste`.
    package mutating func settle(_ events: [InputEvent], at now: Duration) -> [InputEvent] {
        let gap = lastRead.map { now - $0 }
        lastRead = now
        let isFresh = gap.map { $0 > Self.pause } ?? true
        if isFresh { isPaste = false }
        if isHolding || isFresh && Self.hasInnerLineEnd(events) {
            held += events
            return held.count > Self.mostHeld ? release() : []
        }
        let isSingle = events.count == 1 && events[0].pastedText != nil
        let isTrickle = isSingle && gap.map(Self.trickle.contains) == true
        trickled = isTrickle ? trickled + 1 : 0
        isPaste = isPaste || trickled >= Self.trickledKeys && events[0].isLineEnd
        return isPaste ? Self.merged(events) : events
    }

    /// Decides about what is held, now that nothing more came.
    /// - Returns: It, as a paste or as keys.
    package mutating func release() -> [InputEvent] {
        defer { held = [] }
        guard let last = held.last else { return [] }
        let endsWithText = last.pastedText != nil && !last.isLineEnd
        isPaste = endsWithText || Self.hasEmptyLine(held)
        return isPaste ? Self.merged(held) : held
    }

    private static func hasInnerLineEnd(_ events: [InputEvent]) -> Bool {
        guard let lineEnd = events.firstIndex(where: \.isLineEnd) else { return false }
        return events[lineEnd...].contains { $0.pastedText != nil && !$0.isLineEnd }
    }

    /// Two line ends with text behind them. (CR LF is one.)
    private static func hasEmptyLine(_ events: [InputEvent]) -> Bool {
        let lastText = events.lastIndex { $0.pastedText != nil && !$0.isLineEnd } ?? 0
        return zip(events[..<lastText], events[..<lastText].dropFirst()).contains { $0.isLineEnd && $0 == $1 }
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
