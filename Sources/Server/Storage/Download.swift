/// What the headers of a download ask for, and what its answer says of the object (RFC 9110 sections 13 and 14).
struct Download {
    private let object: StoredObject
    private let request: IncomingRequest

    init(_ object: StoredObject, _ request: IncomingRequest) {
        self.object = object
        self.request = request
    }

    private var lastModified: String { HTTPDateText.text(object.updatedAt) }

    /// Everything but the range.
    var headers: [(name: String, value: String)] {
        let type = object.content.mimeType
        let isActive = MediaTypeText.isActive(type)
        var headers = [
            // What a browser would run in the name of this server is shown as text, and only when saved.
            (name: "Content-Type", value: isActive ? "text/plain" : type),
            ("ETag", object.entityTag), ("Last-Modified", lastModified),
            ("Cache-Control", object.content.cacheControl), ("Accept-Ranges", "bytes"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if let name = request.query["download"] {
            headers.append(
                ("Content-Disposition", Self.attachment(name.isEmpty ? object.path.fileName : name)))
        } else if isActive {
            headers.append(("Content-Disposition", "attachment"))
        }
        return headers
    }

    /// Whether the caller has this very content.
    var isKnown: Bool {
        let tags = request.list("if-none-match")
        if !tags.isEmpty { return tags.contains { $0 == "*" || Self.strong($0) == object.entityTag } }
        return request.header("if-modified-since") == lastModified
    }

    /// The bytes to send; `nil` is all of them. Several ranges, or what is no range, ask for all.
    /// - Throws: `.range` when it begins behind the end.
    func range() throws(StorageFault) -> Range<Int64>? {
        if let condition = request.header("if-range"), condition != object.entityTag,
            condition != lastModified
        {
            return nil
        }
        guard let text = request.header("range")?.trimmingSpaces(), text.lowercased().hasPrefix("bytes=")
        else {
            return nil
        }
        let halves = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmingSpaces() }
        guard halves.count == 2, halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else {
            return nil
        }
        let size = object.content.size
        switch (Int64(halves[0]), Int64(halves[1])) {
        case (let first?, let last?) where first <= last: return try range(from: first, through: last)
        case (let first?, nil) where halves[1].isEmpty: return try range(from: first, through: .max)
        case (nil, let count?) where halves[0].isEmpty && count > 0:
            return try range(from: max(0, size - count), through: .max)
        case (nil, 0?) where halves[0].isEmpty: throw .range(size: size)
        default: return nil
        }
    }

    private func range(from first: Int64, through last: Int64) throws(StorageFault) -> Range<Int64> {
        let size = object.content.size
        guard first < size else { throw .range(size: size) }
        return first..<(last < size ? last + 1 : size)
    }

    private static func strong(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }

    /// The name as older clients read it, and beside it in full where it is more than ASCII (RFC 6266).
    private static func attachment(_ name: String) -> String {
        let shown = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(255)
        let plain = shown.map { $0.isASCII && $0 != "\"" && $0 != "\\" ? Character($0) : "_" }
        var text = "attachment; filename=\"\(String(plain))\""
        if shown.contains(where: { !$0.isASCII }) {
            var full = String.UnicodeScalarView()
            full.append(contentsOf: shown)
            text += "; filename*=UTF-8''" + PercentText.encode(String(full))
        }
        return text
    }
}
