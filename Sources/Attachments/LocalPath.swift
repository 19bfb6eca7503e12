/// Where a file is on this machine, as the system names it: bytes, which need not be text.
package struct LocalPath: Hashable, Sendable {
    /// Without a zero.
    package let bytes: [UInt8]

    /// - Parameter bytes: What comes behind a zero is lost, as it is to the system.
    package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

    package init(_ text: String) { self.init(bytes: text.utf8) }

    /// For people: what is no text in it shows as such.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component; `nil` when there is none.
    package var name: String? {
        bytes.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// For calls of the system.
    var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// With `~` in front standing for the home folder.
    /// - Parameter home: Without a slash at the end; empty or `nil` leaves it as it is.
    package func expanded(home: String?) -> LocalPath {
        let tilde = UInt8(ascii: "~")
        guard bytes == [tilde] || bytes.starts(with: [tilde, UInt8(ascii: "/")]), let home, !home.isEmpty
        else { return self }
        return LocalPath(bytes: Array(home.utf8) + bytes.dropFirst())
    }
}
