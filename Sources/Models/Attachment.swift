/// A file that belongs to a message.
package struct Attachment: Sendable, Hashable, Codable {
    /// Where the service keeps it; not for the screen and no file name. Empty while it waits to be uploaded.
    package var path: String
    /// The sender's name for it: untrusted text.
    package var name: String?
    package var mimeType: String?
    /// Bytes; `nil` when the sender did not say.
    package var size: Int64?
    /// Pixels.
    package var width: Int?
    package var height: Int?

    package init(
        path: String, name: String? = nil, mimeType: String? = nil, size: Int64? = nil, width: Int? = nil,
        height: Int? = nil
    ) {
        self.path = path
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.width = width
        self.height = height
    }

    enum CodingKeys: String, CodingKey {
        case path, name, size, width, height
        case mimeType = "mime_type"
    }
}
