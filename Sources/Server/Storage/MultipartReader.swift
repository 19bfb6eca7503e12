import Glibc

/// The head of one part of a form.
struct PartHead: Sendable, Equatable {
    var name = ""
    /// `nil` when the part has no file name at all.
    var fileName: String?
    var contentType: String?
}

/// Takes a `multipart/form-data` body apart as it comes (RFC 7578, RFC 2046 section 5.1).
///
/// Holds no more than one piece and what of a boundary may be at its end.
struct MultipartReader {
    enum Event {
        case began(PartHead)
        /// Content of the part that began last.
        case bytes(ArraySlice<UInt8>)
    }

    private enum Place { case before, content, boundaryEnd, head, after }

    /// Bytes of one part's headers.
    private static let longestHead = 16_384
    private let delimiter: [UInt8]
    private var place = Place.before
    // A boundary begins with a line end; the first may do without, so one is put before it.
    private var held: [UInt8] = [0x0D, 0x0A]

    /// Whether the last boundary was seen.
    var isComplete: Bool { place == .after }

    /// - Parameter type: The body's Content-Type.
    /// - Returns: `nil` when it is another, or has no boundary.
    init?(contentType type: String) {
        guard MediaTypeText.essence(type) == "multipart/form-data",
            let boundary = HeaderParameters(type)["boundary"], (1...70).contains(boundary.utf8.count)
        else { return nil }
        delimiter = Array("\r\n--".utf8) + Array(boundary.utf8)
    }

    /// - Throws: `.invalidRequest` for a body that is not of this form.
    mutating func take(_ bytes: [UInt8], _ found: (Event) throws(StorageFault) -> Void) throws(StorageFault) {
        guard place != .after else { return }
        let buffer = held + bytes
        var index = 0
        while let next = try step(buffer, from: index, found) { index = next }
        held = Array(buffer[index...])
    }

    /// - Returns: Where to go on; `nil` when more bytes are needed, with `index` moved past what was used.
    private mutating func step(
        _ buffer: [UInt8], from index: Int, _ found: (Event) throws(StorageFault) -> Void
    ) throws(StorageFault) -> Int? {
        switch place {
        case .before, .content: return try content(buffer, from: index, found)
        case .boundaryEnd: return try boundaryEnd(buffer, from: index)
        case .head: return try head(buffer, from: index, found)
        case .after: return index < buffer.count ? buffer.count : nil
        }
    }

    private mutating func content(
        _ buffer: [UInt8], from index: Int, _ found: (Event) throws(StorageFault) -> Void
    ) throws(StorageFault) -> Int? {
        let end = Self.find(delimiter, in: buffer, from: index)
        // Without a boundary all goes out but what may be the beginning of one.
        let content = end ?? max(index, buffer.count - delimiter.count + 1)
        if place == .content, content > index { try found(.bytes(buffer[index..<content])) }
        guard let end else { return content > index ? content : nil }
        place = .boundaryEnd
        return end + delimiter.count
    }

    private mutating func boundaryEnd(_ buffer: [UInt8], from index: Int) throws(StorageFault) -> Int? {
        guard buffer.count - index >= 2 else { return nil }
        if buffer[index] == UInt8(ascii: "-"), buffer[index + 1] == UInt8(ascii: "-") {
            place = .after
            return buffer.count
        }
        // Spaces may stand between a boundary and its line end.
        var end = index
        while end < buffer.count, buffer[end] == 0x20 || buffer[end] == 0x09 { end += 1 }
        guard end - index <= 256 else { throw Self.malformed }
        guard buffer.count - end >= 2 else { return nil }
        guard buffer[end] == 0x0D, buffer[end + 1] == 0x0A else { throw Self.malformed }
        place = .head
        // The line end is left: a part without headers has the empty line right here.
        return end
    }

    private mutating func head(
        _ buffer: [UInt8], from index: Int, _ found: (Event) throws(StorageFault) -> Void
    ) throws(StorageFault) -> Int? {
        guard let end = Self.find(Array("\r\n\r\n".utf8), in: buffer, from: index) else {
            guard buffer.count - index <= Self.longestHead else { throw Self.malformed }
            return nil
        }
        guard end - index <= Self.longestHead else { throw Self.malformed }
        place = .content
        try found(.began(Self.head(of: buffer[index..<end])))
        return end + 4
    }

    private static let malformed = StorageFault.invalidRequest("Malformed multipart form data")

    private static func head(of lines: ArraySlice<UInt8>) -> PartHead {
        var head = PartHead()
        for line in lines.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            let halves = line.split(
                separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            let value = String(decoding: halves[1], as: UTF8.self).trimmingSpaces()
            switch String(decoding: halves[0], as: UTF8.self).trimmingSpaces().lowercased() {
            case "content-disposition":
                let parameters = HeaderParameters(value)
                head.name = parameters["name"] ?? ""
                head.fileName = parameters["filename"] ?? parameters["filename*"]
            case "content-type": head.contentType = value
            default: break
            }
        }
        return head
    }

    /// The first place of `pattern`, whose first byte hardly occurs elsewhere.
    private static func find(_ pattern: [UInt8], in buffer: [UInt8], from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var index = start
            while index + pattern.count <= bytes.count {
                let room = bytes.count - pattern.count + 1 - index
                guard let hit = memchr(base + index, Int32(pattern[0]), room) else { return nil }
                if memcmp(hit, pattern, pattern.count) == 0 { return UnsafeRawPointer(hit) - base }
                index = UnsafeRawPointer(hit) - base + 1
            }
            return nil
        }
    }
}

/// The parameters behind the first semicolon of a header's value (RFC 9110 section 5.6.6).
struct HeaderParameters {
    private var values: [String: String] = [:]

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard let start = rest.firstIndex(of: UInt8(ascii: ";")) else { return }
        rest = rest[(start + 1)...]
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].filter { $0 != UInt8(ascii: ";") }
            rest = rest[(equals + 1)...]
            let value = rest.first == 0x22 ? Self.quoted(&rest) : Self.token(&rest)
            let key = String(decoding: name, as: UTF8.self).trimmingSpaces().lowercased()
            if values[key] == nil { values[key] = String(decoding: value, as: UTF8.self) }
        }
    }

    /// By name in lower case; the first of several.
    subscript(_ name: String) -> String? { values[name] }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != 0x22 {
            // Browsers send a quote as %22 and a backslash as itself; what is escaped here is one of the two.
            if byte == 0x5C, let next = rest.first, next == 0x22 || next == 0x5C {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(byte)
            }
        }
        if let next = rest.firstIndex(of: UInt8(ascii: ";")) { rest = rest[(next + 1)...] } else { rest = [] }
        return value
    }

    private static func token(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return Array(String(decoding: rest[..<end], as: UTF8.self).trimmingSpaces().utf8)
    }
}
