/// What a path may go on with while it is typed, written as it would stand in the line.
package struct PathCompletion: Hashable, Sendable {
    package struct Candidate: Hashable, Sendable {
        /// The whole path.
        package let text: String
        /// The last component, a folder with its slash: foreign text.
        package let name: String
        package let isFolder: Bool
    }

    /// The first ones by name.
    package var candidates: [Candidate] = []
    package var total = 0
    /// The path as far as all of them agree.
    package var common = ""

    /// Looks for what begins like the path, on the disk.
    /// - Parameters:
    ///   - typed: As it stands in the line, perhaps in the middle of a quoted name.
    ///   - home: What `~` stands for.
    @concurrent
    package static func find(_ typed: String, onlyFolders: Bool, home: String?) async -> PathCompletion {
        let reading = PathText.reading(of: typed, isTyping: true)
        var bytes = reading.bytes
        if bytes == Array("~".utf8) { bytes = Array("~/".utf8) }
        let split = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let (folder, start) = (Array(bytes[..<split]), Array(bytes[split...]))
        let listing = FolderListing.list(
            LocalPath(bytes: folder).expanded(home: home), beginningWith: start, onlyFolders: onlyFolders)
        return PathCompletion(listing, in: folder, reading.style)
    }

    private init(_ listing: FolderListing, in folder: [UInt8], _ style: PathText.Style) {
        total = listing.total
        let slash = UInt8(ascii: "/")
        candidates = listing.entries.map { entry in
            let name = entry.name + (entry.isFolder ? [slash] : [])
            return Candidate(
                text: PathText.write(folder + name, style, isOpen: entry.isFolder),
                name: String(decoding: name, as: UTF8.self), isFolder: entry.isFolder)
        }
        common = PathText.write(folder + Self.whole(listing.common), style, isOpen: true)
        if total == 1, let only = candidates.first { common = only.text }
    }

    /// Without the beginning of a character whose end differs.
    private static func whole(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 else {
            return bytes
        }
        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return bytes.count - start < length ? Array(bytes[..<start]) : bytes
    }
}
