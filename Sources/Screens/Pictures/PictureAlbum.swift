import Models
import Terminal

/// The drawn pictures that a thread may need, and those that cannot be drawn. What is in neither is coming.
package struct PictureAlbum: Equatable, Sendable {
    package enum Entry: Hashable, Sendable {
        case drawn(Mosaic)
        /// It is larger than the user wants to be fetched unasked.
        case tooLarge
        case failed(UserCopy)
    }

    package var entries: [PictureKey: Entry]

    package init(_ entries: [PictureKey: Entry] = [:]) { self.entries = entries }
}

/// One picture drawn in one way.
package struct PictureKey: Hashable, Sendable {
    package let account: AccountID
    /// Where the service keeps it.
    package let path: String
    package let room: PictureRoom
    /// The user asked for it: what failed unasked is tried again.
    package let isAsked: Bool

    package init(account: AccountID, path: String, room: PictureRoom, isAsked: Bool = false) {
        self.account = account
        self.path = path
        self.room = room
        self.isAsked = isAsked
    }
}

/// A picture that is on the screen, or would be.
package struct PictureWish: Hashable, Sendable {
    package let key: PictureKey
    package let attachment: Attachment
    /// Most bytes to fetch for it; `nil`: any number.
    package let limit: Int64?

    package init(key: PictureKey, attachment: Attachment, limit: Int64?) {
        self.key = key
        self.attachment = attachment
        self.limit = limit
    }
}

/// All that drawing a thread with pictures needs beside its state.
struct PictureContext: Equatable {
    var account: AccountID
    var album: PictureAlbum
    /// Rows that the thread pane has at most.
    var threadRows: Int
    /// The key that draws a picture on demand; empty when it has none.
    var keyName: String
}

/// What stands under a picture's file line.
enum PictureLook: Hashable {
    /// Rows that are kept for it; 0 while its shape is unknown.
    case coming(rows: Int)
    /// - Parameter rows: What was kept for it, or as many as it has.
    case drawn(Mosaic, rows: Int)
    /// A key draws it.
    case offered(keyName: String)
    case failed(String)
}
