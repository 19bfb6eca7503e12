import FoundationEssentials
import SupabaseWire

/// One shape of the wire as a file of `JSON`: what both ends are held against.
///
/// The last words of a name say who writes it: `.answer`, `.rows`, `.token` and `.server` are the server's,
/// `.request` and `.client` the client's. Frames have their version before that: `.v1`, `.v2`, and `.binary` for
/// those of version 2 that are no text.
package struct WireFixture: Sendable, Hashable, CustomStringConvertible {
    /// `realtime/insert-message.v1.server`
    package let name: String
    package let bytes: [UInt8]

    package var description: String { name }
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var isFromServer: Bool { !["request", "client"].contains(ending) }
    package var isBinary: Bool { name.contains(".binary.") }

    /// The version of a text frame.
    package var version: RealtimeVersion? {
        name.contains(".v1.") ? .one : name.contains(".v2.") ? .two : nil
    }

    private var ending: Substring { name.split(separator: ".").last ?? "" }

    package var json: JSONValue {
        get throws { try WireCoding.decode(from: text) }
    }

    /// All of them, by name.
    package static let all: [WireFixture] = read()

    package static var names: Set<String> { Set(all.map(\.name)) }

    /// - Throws: When there is none of this name.
    package static func named(_ name: String) throws -> WireFixture {
        struct Missing: Error { let name: String }
        guard let fixture = all.first(where: { $0.name == name }) else { throw Missing(name: name) }
        return fixture
    }

    private static func read() -> [WireFixture] {
        let root =
            URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().path + "/JSON"
        // A folder that cannot be read has no fixtures, and every list of checks finds that out.
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return paths.sorted().compactMap { path in
            guard let bytes = try? Data(contentsOf: URL(filePath: root + "/" + path)) else { return nil }
            if path.hasSuffix(".json") {
                return WireFixture(name: String(path.dropLast(5)), bytes: Array(bytes))
            }
            guard path.hasSuffix(".hex") else { return nil }
            return WireFixture(
                name: String(path.dropLast(4)), bytes: octets(String(decoding: bytes, as: UTF8.self)))
        }
    }

    private static func octets(_ text: String) -> [UInt8] {
        text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
    }
}

extension JSONValue {
    /// Without the members of these names, however deep.
    package func without(_ names: Set<String>) -> JSONValue {
        switch self {
        case .object(let members):
            .object(members.filter { !names.contains($0.key) }.mapValues { $0.without(names) })
        case .array(let values): .array(values.map { $0.without(names) })
        case .null, .bool, .integer, .number, .string: self
        }
    }
}
