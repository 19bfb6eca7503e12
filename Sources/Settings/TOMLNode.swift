import CTOML

/// One value of a TOML document, with the line it stands on (from 1; 0 when unknown).
struct TOMLNode: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case table([Entry])
        case array([TOMLNode])
        case string(String)
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        /// A date or a time of day: no setting has one.
        case other
    }

    struct Entry: Sendable, Equatable {
        let key: String
        let node: TOMLNode
    }

    let value: Value
    let line: Int

    /// What sort of value it is, in words for people.
    var kind: String {
        switch value {
        case .table: "a table"
        case .array: "a list"
        case .string: "a text"
        case .integer, .real: "a number"
        case .boolean: "true or false"
        case .other: "a date"
        }
    }

    /// Reads a whole document.
    /// - Throws: `.malformed`, `.duplicate` or `.encoding`, each with its line.
    static func parse(_ text: [UInt8]) throws(SettingsError) -> TOMLNode {
        var error = pl_toml_error()
        let document = text.withUnsafeBytes { bytes in
            // An empty array has no address, and the library wants one.
            guard let start = bytes.baseAddress else { return pl_toml_parse("", 0, &error) }
            return pl_toml_parse(start.assumingMemoryBound(to: CChar.self), bytes.count, &error)
        }
        guard let document else { throw SettingsError(error) }
        defer { pl_toml_free(document) }
        let items = UnsafeBufferPointer(start: pl_toml_items(document), count: pl_toml_count(document))
        return tree(items)
    }

    /// Parents come before their children, so reading backwards finds every child finished.
    private static func tree(_ items: UnsafeBufferPointer<pl_toml_item>) -> TOMLNode {
        var children: [[Entry]] = Array(repeating: [], count: items.count)
        for index in items.indices.reversed() where index > 0 {
            let entry = Entry(
                key: string(items[index].key, items[index].key_count),
                node: node(items[index], children: children[index].reversed()))
            children[items[index].parent].append(entry)
        }
        guard let root = items.first, let entries = children.first else {
            return TOMLNode(value: .table([]), line: 0)
        }
        return node(root, children: entries.reversed())
    }

    private static func node(_ item: pl_toml_item, children: [Entry]) -> TOMLNode {
        let value: Value
        switch Int(item.kind) {
        case PL_TOML_TABLE: value = .table(children.sorted { $0.node.line < $1.node.line })
        case PL_TOML_ARRAY: value = .array(children.map(\.node))
        case PL_TOML_STRING: value = .string(string(item.text, item.text_count))
        case PL_TOML_INTEGER: value = .integer(item.integer)
        case PL_TOML_REAL: value = .real(item.real)
        case PL_TOML_BOOLEAN: value = .boolean(item.integer != 0)
        default: value = .other
        }
        return TOMLNode(value: value, line: Int(item.line))
    }

    private static func string(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        return String(decoding: bytes.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SettingsError {
    fileprivate init(_ error: pl_toml_error) {
        let line = Int(error.line)
        switch Int(error.reason) {
        case PL_TOML_DUPLICATE: self = .duplicate(line: line)
        case PL_TOML_ENCODING: self = .encoding(line: line)
        case PL_TOML_NO_MEMORY: self = .unreadable(code: 12)  // ENOMEM
        default: self = .malformed(line: line, column: Int(error.column))
        }
    }
}
