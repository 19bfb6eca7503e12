/// Where an object is: a bucket, and a name whose slashes make folders.
struct ObjectPath: Sendable, Hashable {
    let bucket: String
    let name: String

    /// Bytes; more than any message's `image_path` may have.
    private static let longest = 1_024
    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/!-.*'()&$@=;:+,? ".utf8)

    var full: String { bucket + "/" + name }

    /// The last part of the name.
    var fileName: String {
        String(name[(name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex)...])
    }

    /// - Throws: `.invalidKey` for a character that no key may have, for a part that is empty, `.` or `..`, and for a
    ///   bucket with a slash, whose path would be that of another.
    init(bucket: String, name: String) throws(StorageFault) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !["", ".", ".."].contains(bucket), !bucket.utf8.contains(UInt8(ascii: "/")),
            bucket.utf8.allSatisfy(Self.allowed.contains), name.utf8.count <= Self.longest,
            name.utf8.allSatisfy(Self.allowed.contains),
            !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
        else { throw .invalidKey(Self.shown(name)) }
        self.bucket = bucket
        self.name = name
    }

    /// - Parameter text: `<bucket>/<name>` as it stands in a URL.
    init(encoded text: Substring) throws(StorageFault) {
        let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        try self.init(
            bucket: PercentText.decode(halves.first ?? "", plusIsSpace: false),
            name: PercentText.decode(halves.count > 1 ? halves[1] : "", plusIsSpace: false))
    }

    private var parts: [Substring] { name.split(separator: "/") }

    /// The conversation whose members may read the object: the first part of its name, in lower case.
    var conversation: String? { bucket == Bucket.attachments ? parts.first.flatMap(Self.id) : nil }

    /// Whether the name is a conversation's id, a message's id and a file's name.
    var isAttachment: Bool { conversation != nil && parts.count == 3 && Self.id(parts[1]) != nil }

    private static func id(_ text: Substring) -> String? {
        text.utf8.count == 36 ? UUIDText.canonical(String(text)) : nil
    }

    /// A refused key as its sender may read it back: of bounded length.
    private static func shown(_ name: String) -> String { String(name.prefix(longest)) }

    /// The path as it stands in a URL.
    var encoded: String { PercentText.encode(full, except: "/!*()@:") }
}
