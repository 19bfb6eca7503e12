/// Turns bytes from a terminal into events. Pure: it neither reads nor waits.
///
/// UTF-8 and escape sequences may be split over reads anywhere. Invalid UTF-8 becomes U+FFFD. What it does
/// not know it swallows whole, so that an unknown key types no garbage.
package struct InputParser: Sendable {
    /// A paste longer than this is handed on in pieces, each an event of its own.
    package static let pasteLimit = 4 << 20

    /// Bytes of an unfinished sequence or cluster.
    private(set) var pending: [UInt8] = []
    private var paste: PasteCollector?

    package init() {}

    /// What is pending may be a key by itself or the beginning of a sequence: only time tells. The caller
    /// waits 25 ms (100 ms over a network) for more bytes and then calls `flushEscape()`.
    package var awaitsEscape: Bool { paste?.mayHaveEnded ?? (pending.first == Control.escape) }

    /// A bracketed paste has begun and not ended. The caller ends it after 10 s without a byte or at Ctrl-c.
    package var isPasting: Bool { paste != nil }

    /// - Parameter bytes: What one read gave; a caller that hands on reads whole lets a raw paste be noticed.
    /// - Returns: The complete events in it, in order.
    package mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
        var events: [InputEvent] = []
        var scanner = InputScanner(pending + bytes)
        pending = []
        while true {
            if var open = paste {
                paste = nil  // held in one place, or every read would copy all that was pasted
                events += open.collect(&scanner).map(InputEvent.paste)
                paste = open.isOver ? nil : open
                guard open.isOver else { return events }
            }
            guard let step = scanner.next() else { break }
            switch step {
            case .events(let some): events += some
            case .pasteBegins: paste = PasteCollector()
            case .unfinished: break
            }
        }
        pending = scanner.rest
        return events
    }

    /// Nothing followed in time: a lone escape is the Escape key, escape and a letter is Alt.
    package mutating func flushEscape() -> [InputEvent] {
        if paste?.mayHaveEnded == true { return endPaste() }
        guard pending.first == Control.escape else { return [] }
        defer { pending = [] }
        return InputScanner.keys(of: pending)
    }

    /// Ends a paste whose end mark never came. What was pasted is handed on.
    package mutating func endPaste() -> [InputEvent] {
        guard let open = paste else { return [] }
        paste = nil
        let text = open.text
        return text.isEmpty ? [] : [.paste(text)]
    }
}

/// The bytes with a meaning of their own.
enum Control {
    static let escape: UInt8 = 0x1B
    static let bell: UInt8 = 0x07
    static let interrupt: UInt8 = 0x03
    static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)
}

/// Collects the text of one bracketed paste.
struct PasteCollector: Sendable {
    private var bytes: [UInt8] = []
    /// How far the end mark was looked for.
    private var searched = 0
    /// An end mark was seen with more text right behind it: a mark inside the pasted text, most likely.
    private(set) var mayHaveEnded = false
    private(set) var isOver = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes bytes up to the end mark.
    ///
    /// Two or more plain bytes right behind the mark, in the same read, were not typed: the mark was part of
    /// the pasted text, and what follows must not run as keys. The paste then goes on until another mark or
    /// silence.
    /// - Returns: The finished paste, or pieces of an overlong one.
    mutating func collect(_ scanner: inout InputScanner) -> [String] {
        var pieces: [String] = []
        bytes += scanner.takeRest()
        while let mark = nextMark() {
            let rest = Array(bytes[(mark + Control.pasteEnd.count)...])
            bytes.removeSubrange(mark...)
            let isInside = rest.count >= 2 && rest[0] != Control.escape || rest.contains(Control.pasteEnd)
            guard isInside else {
                isOver = true
                scanner.putBack(rest)
                return pieces + [text]
            }
            mayHaveEnded = true
            searched = bytes.count
            bytes += rest
        }
        if bytes.count > InputParser.pasteLimit { pieces.append(takePiece()) }
        return pieces
    }

    private mutating func nextMark() -> Int? {
        let mark = Control.pasteEnd
        var index = searched
        while index + mark.count <= bytes.count {
            if bytes[index] == Control.escape, bytes[index..<index + mark.count].elementsEqual(mark) {
                return index
            }
            index += 1
        }
        searched = index
        return nil
    }

    /// Cuts before an unfinished mark or scalar.
    private mutating func takePiece() -> String {
        var end = max(searched, 0)
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let piece = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(..<end)
        searched = 0
        return piece
    }
}

extension [UInt8] {
    func contains(_ part: [UInt8]) -> Bool {
        guard count >= part.count, !part.isEmpty else { return false }
        return (0...(count - part.count)).contains { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
