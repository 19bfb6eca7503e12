import Glibc

/// What a folder has that begins like a name, the first of it by name.
///
/// A folder may have any number of entries: they are looked at one by one, and only the first ones are kept.
package struct FolderListing: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let name: [UInt8]
        package let isFolder: Bool
    }

    /// At most `mostEntries`, by name.
    package private(set) var entries: [Entry] = []
    /// How many there are.
    package private(set) var total = 0
    /// What all of them begin with.
    package private(set) var common: [UInt8] = []

    package static let mostEntries = 200

    /// Looks through a folder. A cancelled task ends it early.
    ///
    /// Hidden entries are found only when the beginning has their dot. When nothing begins exactly so, capital and
    /// small letters of ASCII count as equal.
    /// - Returns: Nothing, too, when the folder is not there or may not be read.
    package static func list(_ folder: LocalPath, beginningWith start: [UInt8], onlyFolders: Bool)
        -> FolderListing
    {
        let path = folder.bytes.isEmpty ? LocalPath(".") : folder
        let exact = walk(path, onlyFolders) { $0.starts(with: start) && isShown($0, start) }
        guard exact.total == 0, !start.isEmpty, !Task.isCancelled else { return exact }
        let small = start.map(lowered)
        return walk(path, onlyFolders) {
            $0.count >= small.count && zip($0, small).allSatisfy { lowered($0) == $1 } && isShown($0, start)
        }
    }

    private static func isShown(_ name: [UInt8], _ start: [UInt8]) -> Bool {
        if name == [dot] || name == [dot, dot] { return false }
        return name.first != dot || start.first == dot
    }

    private static let dot = UInt8(ascii: ".")

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func walk(_ folder: LocalPath, _ onlyFolders: Bool, _ isWanted: ([UInt8]) -> Bool)
        -> FolderListing
    {
        var listing = FolderListing()
        let descriptor = open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return listing }
        guard let entries = fdopendir(descriptor) else {
            close(descriptor)
            return listing
        }
        defer { closedir(entries) }
        while !Task.isCancelled, let entry = readdir(entries) {
            let name = bytes(of: entry)
            guard isWanted(name) else { continue }
            let isFolder = isFolder(name, Int32(entry.pointee.d_type), in: descriptor)
            if isFolder || !onlyFolders { listing.take(Entry(name: name, isFolder: isFolder)) }
        }
        return listing
    }

    private mutating func take(_ entry: Entry) {
        total += 1
        common =
            total == 1
            ? entry.name : Array(zip(common, entry.name).prefix { $0 == $1 }.map(\.0))
        let place = entries.partitioningIndex { entry.name.lexicographicallyPrecedes($0.name) }
        guard place < Self.mostEntries else { return }
        entries.insert(entry, at: place)
        if entries.count > Self.mostEntries { entries.removeLast() }
    }

    private static func bytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            }
        }
    }

    /// A link counts as what it leads to.
    private static func isFolder(_ name: [UInt8], _ kind: Int32, in folder: Int32) -> Bool {
        switch kind {
        case Int32(DT_DIR): return true
        case Int32(DT_LNK), Int32(DT_UNKNOWN):
            var status = stat()
            return fstatat(folder, LocalPath(bytes: name).cString, &status, 0) == 0
                && status.st_mode & S_IFMT == S_IFDIR
        default: return false
        }
    }
}

extension Array {
    /// The first index at which the condition holds, of an array that has all such elements at its end.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
