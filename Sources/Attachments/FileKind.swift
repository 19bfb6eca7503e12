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

/// Width and height of a picture, from the beginning of its file: PNG, GIF, JPEG and WebP.
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
            case "image/webp": webp(head)
            default: nil
            }
        guard let size, (1...100_000).contains(size.width), (1...100_000).contains(size.height) else {
            return nil
        }
        return size
    }

    /// Segment by segment to the frame header (ITU T.81, B.1.1): each begins with FF, its kind and its length.
    ///
    /// A camera that was held upright says so before it, and width and height change places.
    private static func jpeg(_ head: [UInt8]) -> (width: Int, height: Int)? {
        var index = 2
        var isTurned = false
        while index + 9 <= head.count, head[index] == 0xFF {
            let kind = head[index + 1]
            if kind == 0xFF {
                index += 1  // fill bytes
                continue
            }
            let isFrame = (0xC0...0xCF).contains(kind) && ![0xC4, 0xC8, 0xCC].contains(kind)
            if isFrame {
                let (width, height) = (big(head, index + 7, 2), big(head, index + 5, 2))
                return isTurned ? (height, width) : (width, height)
            }
            let length = big(head, index + 2, 2)
            guard length >= 2 else { return nil }
            if kind == 0xE1 {
                isTurned = isTurned || self.isTurned(Array(head[index...].dropFirst(4).prefix(length - 2)))
            }
            index += 2 + length
        }
        return nil
    }

    /// Whether an Exif segment's first directory has an orientation (tag 0112) of a quarter turn, 5 to 8. It is laid
    /// out as a TIFF file, in either order of bytes.
    private static func isTurned(_ segment: [UInt8]) -> Bool {
        guard segment.starts(with: "Exif\0\0".utf8), segment.count >= 16 else { return false }
        let tiff = Array(segment.dropFirst(6))
        let number = tiff.starts(with: "II".utf8) ? little : big
        let start = number(tiff, 4, 4)
        guard start >= 8, start + 2 <= tiff.count else { return false }
        for entry in 0..<min(number(tiff, start, 2), 64) {
            let place = start + 2 + entry * 12
            guard place + 12 <= tiff.count else { return false }
            if number(tiff, place, 2) == 0x0112 { return (5...8).contains(number(tiff, place + 8, 2)) }
        }
        return false
    }

    /// From the header of the first chunk (RFC 9649): an extended file, a lossless or a lossy picture.
    private static func webp(_ head: [UInt8]) -> (width: Int, height: Int)? {
        guard head.count >= 30 else { return nil }
        switch String(decoding: head[12..<16], as: UTF8.self) {
        case "VP8X": return (little(head, 24, 3) + 1, little(head, 27, 3) + 1)
        case "VP8L":
            let bits = little(head, 21, 4)
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8 ": return (little(head, 26, 2) & 0x3FFF, little(head, 28, 2) & 0x3FFF)
        default: return nil
        }
    }

    private static func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
