/// Status and headers of an answer, as its lines come in.
///
/// The head of an interim answer (100...199) is replaced by the next one.
struct HTTPHead {
    /// More header bytes than any server of ours sends; beyond it the answer is broken.
    static let limit = 256 << 10

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Whether the empty line behind the headers has come; libcurl is content without it.
    private(set) var isComplete = false
    private var size = 0

    /// - Parameter line: With or without its line end; an empty one is passed over.
    /// - Returns: Whether the line can belong to an HTTP answer.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard size <= Self.limit else { return false }
        let text = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if text.isEmpty {
            isComplete = true
            return true
        }
        if text.starts(with: "HTTP/".utf8) { return takeStatus(text) }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        let value = HTTPSyntax.trimmed(text[text.index(after: colon)...])
        headers.add(name, String(decoding: value, as: UTF8.self))
        return true
    }

    private mutating func takeStatus(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let words = text.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, let status = Int(String(decoding: words[1], as: UTF8.self)),
            (100...999).contains(status)
        else { return false }
        self.status = status
        headers = HTTPHeaders()
        isComplete = false
        return true
    }
}
