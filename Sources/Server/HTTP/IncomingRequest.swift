/// One HTTP request, whole.
struct IncomingRequest: Sendable {
    let method: String
    /// Path and query as they came.
    let target: String
    /// The path's segments, percent-decoded; empty ones are dropped, so a doubled or last slash changes nothing.
    let path: [String]
    let query: Query
    /// Names in lower case, in the order they came; a name may come several times.
    let headers: [(name: String, value: String)]
    var body: [UInt8]
    /// Numeric address of the other end.
    let peer: String

    init(
        method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        peer: String = ""
    ) {
        // By bytes, as whoever wrote the target and all in between read it: a mark behind a `?` or `&` would hide it
        // from a comparison of characters.
        let halves = target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.target = target
        self.path = (halves.first ?? "".utf8[...]).split(separator: UInt8(ascii: "/")).map {
            PercentText.decode(Substring($0), plusIsSpace: false)
        }
        self.query = Query(halves.count > 1 ? Substring(halves[1]) : "")
        self.headers = headers.map { ($0.name.lowercased(), $0.value) }
        self.body = body
        self.peer = peer
    }

    /// The first header of a name given in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// All values of a list header, split at commas and trimmed.
    func list(_ name: String) -> [String] {
        headers.filter { $0.name == name }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.trimmingSpaces() }
            .filter { !$0.isEmpty }
    }

    /// What follows `Bearer ` in the Authorization header.
    var bearer: String? {
        guard let value = header("authorization") else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingSpaces()
    }
}

/// The parameters of a query string, in order; a name may come several times.
struct Query: Sendable, Equatable {
    struct Parameter: Sendable, Equatable {
        let name: String
        let value: String
    }

    let parameters: [Parameter]

    init(_ text: some StringProtocol) {
        parameters = Substring(text).utf8.split(separator: UInt8(ascii: "&")).map { part in
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map { PercentText.decode(Substring($0), plusIsSpace: true) }
            return Parameter(name: halves.first ?? "", value: halves.count > 1 ? halves[1] : "")
        }
    }

    /// The first value of a name.
    subscript(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

/// Percent-decoding as browsers do it: a `%` without two hex digits stands for itself.
enum PercentText {
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hex(bytes[index + 1]),
                let low = hex(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Everything but letters, digits and `-._~` as `%` and two digits.
    static func encode(_ text: String, except: String = "") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: encoded.append(byte)
            default:
                if "-._~".utf8.contains(byte) || except.utf8.contains(byte) {
                    encoded.append(byte)
                } else {
                    encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

extension StringProtocol {
    /// Without white space at either end.
    func trimmingSpaces() -> String {
        // Nearly always there is nothing to trim, and two characters tell.
        if let first = unicodeScalars.first, (0x21..<0x7F).contains(first.value),
            let last = unicodeScalars.last, (0x21..<0x7F).contains(last.value)
        {
            return String(self)
        }
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[start...last])
    }
}
