@testable import Terminal

extension FuzzTarget {
    /// What a keyboard, or whoever writes to the terminal, sends: it makes no difference how many reads it takes.
    static let keys = FuzzTarget(
        "keys",
        words: [
            "\u{1B}[", "\u{1B}O", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]", "\u{1B}\\", "\u{1B}[<0;1;1M",
            "\u{1B}[M",
            "\u{1B}P1$r", "\u{1B}_G", "\u{1B}[1;5A", "\u{1B}[27;5;97~", "\u{1B}[97;5u", "\u{1B}\u{1B}",
        ],
        seeds: {
            [
                "hello\r", "\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[[A",
                "\u{1B}[<0;12;7M\u{1B}[<64;1;1m\u{1B}[M !!",
                "\u{1B}[200~pasted\r\ntext\u{1B}[201~after", "\u{1B}]11;rgb:0/0/0\u{7}x\u{1B}P>|t\u{1B}\\y",
                "\u{1B}O5A\u{1B}\u{1B}[Aé日👨‍👩‍👧", "\u{1B}[I\u{1B}[O\u{1B}[?62;4c", "\u{1B}O1111111111",
                "\u{3}\u{7F}\u{0}",
            ].map { Array($0.utf8) }
        },
        check: { input in
            var whole = InputParser()
            let expected = keysOnly(whole.feed(input.body) + rest(of: &whole))
            var parser = InputParser()
            var events: [InputEvent] = []
            for piece in input.pieces {
                events += parser.feed(Array(piece))
                guard parser.isPasting || parser.pending.count <= ControlSequence.stringLimit + 4_096 else {
                    return "\(parser.pending.count) bytes are held for one key"
                }
            }
            events += rest(of: &parser)
            guard parser.pending.count <= 3, !parser.isPasting else { return "something is held for ever" }
            // What stands right behind a paste in one read belongs to it, so a paste depends on reads by design.
            guard !has(input.body, paste: Array("[200~".utf8)) else { return nil }
            let found = keysOnly(events)
            return found == expected ? nil : "\(found) in pieces, \(expected) at once"
        })

    private static func rest(of parser: inout InputParser) -> [InputEvent] {
        parser.flushEscape() + parser.endPaste() + parser.flushEscape()
    }

    private static func has(_ bytes: [UInt8], paste mark: [UInt8]) -> Bool { bytes.contains(mark) }

    /// The events with typed characters by scalars: where a read ends, a cluster ends.
    private static func keysOnly(_ events: [InputEvent]) -> [String] {
        events.flatMap { event -> [String] in
            if case .key(let key) = event, case .character(let character) = key.code, key.modifiers.isEmpty {
                return character.unicodeScalars.map { "typed \($0.value)" }
            }
            return ["\(event)"]
        }
    }
}
