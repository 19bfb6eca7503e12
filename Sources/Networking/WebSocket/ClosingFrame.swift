/// What may stand in a closing frame.
enum ClosingFrame {
    /// Codes that may travel (RFC 6455 section 7.4); any other becomes "internal error".
    static func allowed(_ code: UInt16) -> UInt16 {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: code
        default: 1011
        }
    }

    /// As much of a reason as fits, cut between characters: 122 bytes, for wslay wants less than the 123
    /// there are.
    static func words(_ reason: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in reason {
            guard bytes.count + character.utf8.count <= 122 else { break }
            bytes += character.utf8
        }
        return bytes
    }
}
