import FoundationEssentials
import SupabaseWire

/// What may go wrong with one member of an object; each was seen in the wild or follows from a type that grew.
package enum Deformation: String, Sendable, CaseIterable, CustomStringConvertible {
    case missing, null, yes, number, fraction, emptyText, text, oddDate, farDate, list, object
    /// More than 64 bits.
    case hugeNumber
    case largestNumber, leastNumber
    /// More than any `Double`.
    case endlessNumber
    case halfPair, brokenBytes, nul, longText
    /// More than a thousand levels.
    case deep
    /// The key twice, the good value first, or last.
    case twice, twiceBadFirst

    package var description: String { rawValue }

    /// What stands under the key instead, in this order; nothing when the member is left out.
    package func values(_ good: [UInt8]) -> [[UInt8]] {
        switch self {
        case .missing: []
        case .twice: [good, Array("[[]]".utf8)]
        case .twiceBadFirst: [Array("[[]]".utf8), good]
        case .brokenBytes: [Array("\"".utf8) + [0x61, 0xFF, 0xC3, 0x62] + Array("\"".utf8)]
        default: [Array(replacement.utf8)]
        }
    }

    private var replacement: String {
        switch self {
        case .null, .missing, .twice, .twiceBadFirst, .brokenBytes: "null"
        case .yes: "true"
        case .number: "7"
        case .fraction: "0.5"
        case .emptyText: #""""#
        case .text: #""x""#
        case .oddDate: #""2026-02-30T25:61:61Z""#
        case .farDate: #""+275760-09-13T00:00:00Z""#
        case .list: "[[],null]"
        case .object: #"{"id":{"id":[]}}"#
        case .hugeNumber: "123456789012345678901234567890"
        case .largestNumber: "9223372036854775807"
        case .leastNumber: "-9223372036854775808"
        case .endlessNumber: "1e999"
        case .halfPair: #""a\ud800b""#
        case .nul: #""left\u0000right""#
        case .longText: "\"" + String(repeating: "long ", count: 4_000) + "\""
        case .deep: String(repeating: #"[{"a":"#, count: 600) + "1" + String(repeating: "}]", count: 600)
        }
    }
}

/// An object of which one member at a time is deformed. Its text is made once: there are thousands of cases.
package struct DeformableObject: Sendable {
    private var members: [(name: String, text: [UInt8])] = []
    private let before: [UInt8]
    private let after: [UInt8]

    package var keys: [String] { members.map(\.name) }

    /// - Parameters:
    ///   - whole: What the object stands in.
    ///   - path: The keys that lead to it.
    package init(_ whole: JSONValue, at path: String...) throws {
        var object = whole
        for key in path { object = object[key] ?? .null }
        for (name, value) in (object.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            members.append((name, Array(try WireCoding.encode(value))))
        }
        let mark = "@@@"
        let parts = try WireCoding.text(Self.marked(whole, path[...], mark)).split(
            separator: "\"\(mark)\"", omittingEmptySubsequences: false)
        before = Array((parts.first ?? "").utf8)
        after = Array((parts.dropFirst().first ?? "").utf8)
    }

    /// The text of the whole with one member deformed; a key that is not there is one that came later.
    package func bytes(_ key: String, _ deformation: Deformation) -> [UInt8] {
        var bytes = before + [UInt8(ascii: "{")]
        let good: [(name: String, text: [UInt8])] =
            keys.contains(key) ? members : members + [(key, [UInt8(ascii: "1")])]
        // Appended piece by piece: a joined sequence goes byte by byte where nothing is optimised.
        for (name, text) in good {
            for value in name == key ? deformation.values(text) : [text] {
                if bytes.count > before.count + 1 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(contentsOf: Array("\"\(name)\":".utf8))
                bytes.append(contentsOf: value)
            }
        }
        bytes.append(UInt8(ascii: "}"))
        bytes.append(contentsOf: after)
        return bytes
    }

    /// As `bytes`; what is no text in it is replaced.
    package func text(_ key: String, _ deformation: Deformation) -> String {
        String(decoding: bytes(key, deformation), as: UTF8.self)
    }

    private static func marked(_ value: JSONValue, _ path: ArraySlice<String>, _ mark: String) -> JSONValue {
        guard let key = path.first else { return .string(mark) }
        var members = value.object ?? [:]
        members[key] = marked(members[key] ?? [:], path.dropFirst(), mark)
        return .object(members)
    }
}
