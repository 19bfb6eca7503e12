/// What kind of file something is: by its first bytes where these are sure, else by its ending.
enum FileKind {
    /// - Parameters:
    ///   - name: The file's name.
    ///   - head: Its beginning.
    static func mimeType(of name: String, head: [UInt8]) -> String {
        for (signature, type) in signatures where head.starts(with: signature) { return type }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        if head.dropFirst(4).starts(with: "ftypavif".utf8) { return "image/avif" }
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?
            .lowercased()
        // The ending of a picture proves nothing when its first bytes are not those of one.
        return ending.flatMap { endings[$0] } ?? "application/octet-stream"
    }

    private static let signatures: [([UInt8], String)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF87a".utf8), "image/gif"),
        (Array("GIF89a".utf8), "image/gif"), (Array("%PDF-".utf8), "application/pdf"),
    ]

    private static let endings = [
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "html": "text/html", "json": "application/json", "xml": "application/xml", "zip": "application/zip",
        "gz": "application/gzip", "tgz": "application/gzip", "xz": "application/x-xz",
        "zst": "application/zstd", "tar": "application/x-tar", "7z": "application/x-7z-compressed",
        "svg": "image/svg+xml", "mp3": "audio/mpeg", "ogg": "audio/ogg", "opus": "audio/ogg",
        "flac": "audio/flac", "wav": "audio/wav", "m4a": "audio/mp4", "mp4": "video/mp4",
        "mkv": "video/x-matroska", "webm": "video/webm", "mov": "video/quicktime",
        "doc": "application/msword", "odt": "application/vnd.oasis.opendocument.text",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]
}

/// Width and height of a picture, from the beginning of its file: PNG, GIF and JPEG.
enum PixelSize {
    /// - Returns: `nil` for any other file, a broken one, or sizes nobody has.
    static func read(_ head: [UInt8]) -> (width: Int, height: Int)? {
        let size: (width: Int, height: Int)? =
            switch FileKind.mimeType(of: "", head: head) {
            case "image/png": head.count < 24 ? nil : (big(head, 16, 4), big(head, 20, 4))
            case "image/gif":
                head.count < 10
                    ? nil : (Int(head[7]) << 8 | Int(head[6]), Int(head[9]) << 8 | Int(head[8]))
            case "image/jpeg": jpeg(head)
            default: nil
            }
        guard let size, (1...100_000).contains(size.width), (1...100_000).contains(size.height) else {
            return nil
        }
        return size
    }

    /// Segment by segment to the frame header (ITU T.81, B.1.1): each begins with FF, its kind and its length.
    private static func jpeg(_ head: [UInt8]) -> (width: Int, height: Int)? {
        var index = 2
        while index + 9 <= head.count, head[index] == 0xFF {
            let kind = head[index + 1]
            if kind == 0xFF {
                index += 1  // fill bytes
                continue
            }
            let isFrame = (0xC0...0xCF).contains(kind) && ![0xC4, 0xC8, 0xCC].contains(kind)
            if isFrame { return (big(head, index + 7, 2), big(head, index + 5, 2)) }
            let length = big(head, index + 2, 2)
            guard length >= 2 else { return nil }
            index += 2 + length
        }
        return nil
    }

    private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
