import Models
import Terminal

/// What is said of a file: its name, its size, and what its sender calls it.
enum FileWords {
    /// - Parameter uploaded: How far it has come on its way out, in percent; `nil`: it is not on its way.
    static func line(_ file: Attachment, uploaded: Int? = nil, _ glyphs: Glyphs) -> Line {
        let facts = [file.size.map(size), kind(file.mimeType), uploaded.map { "\($0)%" }].compactMap { $0 }
        return Line(
            Span("\(glyphs.file) \(file.name ?? "file")", .link),
            Span(facts.map { " \($0)" }.joined(), .dim))
    }

    /// `812 B`, `12 kB`, `3.4 MB`
    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000: "\(max(bytes, 0)) B"
        case ..<1_000_000: "\(bytes / 1_000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }

    /// A word for the kinds people know; nothing for the others, whose name says more.
    static func kind(_ mimeType: String?) -> String? {
        guard let type = mimeType?.lowercased().prefix(while: { $0 != ";" }) else { return nil }
        switch type.prefix(while: { $0 != "/" }) {
        case "image": return "picture"
        case "audio": return "sound"
        case "video": return "video"
        case "text": return "text"
        default: break
        }
        let archives = ["zip", "gzip", "x-tar", "x-xz", "zstd", "x-7z-compressed"].map { "application/" + $0 }
        if archives.contains(String(type)) { return "archive" }
        return type == "application/pdf" ? "PDF" : nil
    }
}
