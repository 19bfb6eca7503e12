import FoundationEssentials

/// UUIDs as the server keeps them: text, lower case, with hyphens. Text order is then byte order.
enum UUIDText {
    /// The kept form of any spelling the wire may use: either case, with or without hyphens.
    static func canonical(_ text: String) -> String? {
        var digits: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "-") {
                guard text.utf8.count == 36, [8, 13, 18, 23].contains(index) else { return nil }
            } else {
                guard PercentText.hex(byte) != nil else { return nil }
                digits.append(byte | 0x20)  // letters to lower case; digits have the bit already
            }
        }
        guard digits.count == 32 else { return nil }
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: digits, as: UTF8.self)
    }

    static func random() -> String { UUID().uuidString.lowercased() }
}
