import SQLite

/// The constraints of the schema, with the codes PostgreSQL gives them.
enum Checks {
    static func profile(_ row: StoredRow) throws(Refusal) {
        try notNull(row, "username", "display_name", "about")
        let table = row.table.rawValue
        guard isUsername(row.text("username") ?? "") else { throw .check("profiles_username_check", table) }
        guard (1...64).contains(length(row, "display_name")) else {
            throw .check("profiles_display_name_check", table)
        }
        guard length(row, "about") <= 280 else { throw .check("profiles_about_check", table) }
        guard length(row, "avatar_path") <= 512 else { throw .check("profiles_avatar_path_check", table) }
    }

    static func conversation(_ row: StoredRow) throws(Refusal) {
        let table = row.table.rawValue
        guard row.isNull("title") || (1...128).contains(length(row, "title")) else {
            throw .check("conversations_title_check", table)
        }
        guard length(row, "avatar_path") <= 512 else {
            throw .check("conversations_avatar_path_check", table)
        }
        let isGroup = row["is_group"] == .integer(1)
        guard isGroup == row.isNull("direct_key"), isGroup || row.isNull("title") else {
            throw .check("conversations_kind_check", table)
        }
    }

    static func message(_ row: StoredRow) throws(Refusal) {
        try notNull(row, "id", "conversation_id", "body")
        let table = row.table.rawValue
        guard length(row, "body") <= 8_000 else { throw .check("messages_body_check", table) }
        guard row.text("body") != "" || !row.isNull("image_path") || !row.isNull("deleted_at") else {
            throw .check("messages_content_check", table)
        }
        if let path = row.text("image_path") {
            let folder = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first
            guard length(row, "image_path") <= 512, folder.map(String.init) == row.text("conversation_id")
            else { throw .check("messages_image_path_check", table) }
        }
        guard attachmentFits(row) else { throw .check("messages_attachment_check", table) }
    }

    static func reaction(_ row: StoredRow) throws(Refusal) {
        try notNull(row, "message_id", "user_id", "symbol", "conversation_id")
        guard (1...16).contains(length(row, "symbol")) else {
            throw .check("reactions_symbol_check", row.table.rawValue)
        }
    }

    /// `^[a-z0-9][a-z0-9_.]{1,30}[a-z0-9]$`
    static func isUsername(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (3...32).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return false
        }
        return isLetterOrDigit(first) && isLetterOrDigit(last)
            && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func attachmentFits(_ row: StoredRow) -> Bool {
        let parts = [
            "attachment_name", "attachment_mime", "attachment_size", "attachment_width", "attachment_height",
        ]
        guard !row.isNull("image_path") || parts.allSatisfy(row.isNull) else { return false }
        return (row.instant("attachment_size") ?? 0) >= 0 && (row.instant("attachment_width") ?? 1) > 0
            && (row.instant("attachment_height") ?? 1) > 0 && length(row, "attachment_name") <= 255
            && length(row, "attachment_mime") <= 127
    }

    private static func notNull(_ row: StoredRow, _ names: String...) throws(Refusal) {
        for name in names where row.isNull(name) { throw .null(name, row.table.rawValue) }
    }

    /// Characters as PostgreSQL counts them; 0 for null.
    private static func length(_ row: StoredRow, _ name: String) -> Int {
        row.text(name)?.unicodeScalars.count ?? 0
    }
}
