import Models
import SQLite

/// The numbered steps from an empty file to today's tables. A step that was released is never changed.
enum Migrations {
    /// Applies the steps that are missing, each in a transaction of its own with its number.
    /// - Throws: `StoreError.tooNew` when the file has steps this program does not know.
    static func run(on connection: SQLConnection) throws {
        let done = try connection.first("PRAGMA user_version") { (row) throws(SQLiteError) in
            try row.get(0, as: Int.self)
        }
        guard let done, done <= steps.count else { throw StoreError.tooNew }
        for (number, sql) in steps.enumerated().dropFirst(done) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(sql)
                try connection.execute("PRAGMA user_version = \(number + 1)")
            }
        }
    }

    private static let steps = [first, second, third, fourth, fifth]

    /// Files that wait to be uploaded, each for one waiting message.
    private static let second = """
        CREATE TABLE uploads (
          message_id BLOB PRIMARY KEY, copy TEXT NOT NULL, sha256 TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Whether an upload was begun: from then on the service may have the file, whatever was heard of it.
    private static let third = """
        ALTER TABLE uploads ADD COLUMN was_tried INTEGER NOT NULL DEFAULT 0;
        """

    /// What a page of the outbox tells, and conversations that this device's user marked as unread.
    private static let fourth = """
        ALTER TABLE outbox ADD COLUMN since INTEGER;
        ALTER TABLE outbox ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox ADD COLUMN tried_at INTEGER;
        ALTER TABLE outbox ADD COLUMN trouble TEXT;
        ALTER TABLE outbox ADD COLUMN failure TEXT;
        UPDATE outbox SET tries = attempts, since =
          (SELECT created_at FROM messages WHERE id = outbox.message_id AND outbox.kind = 'send');
        CREATE TABLE marked_unread (conversation_id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        """

    /// What services call messages: the latest name of each last, those given up marked. The id a message has here may
    /// be among them. Replies are found by what they answer when that gets another name.
    private static let fifth = """
        CREATE TABLE names (
          number INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, message_id BLOB NOT NULL,
          is_past INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX names_of_message ON names (message_id, is_past, number);
        CREATE INDEX messages_replying ON messages (reply_to) WHERE reply_to IS NOT NULL;
        """

    /// Ids are 16-byte blobs, instants microseconds since 1970, positions and versions the service's numbers.
    ///
    /// `messages.num` rises with the time of a message, so that the search index, which answers in order of its
    /// row ids, gives the newest first even when history was filled in later. The index keeps no copy of the
    /// text. No foreign keys: rows come in any order, a reaction before its message, a message before its
    /// conversation.
    private static let first = """
        CREATE TABLE conversations (
          id BLOB PRIMARY KEY, title TEXT NOT NULL, is_group INTEGER NOT NULL, activity_at INTEGER NOT NULL,
          member_count INTEGER NOT NULL, peer_id BLOB, is_managed INTEGER NOT NULL, is_pinned INTEGER NOT NULL,
          is_archived INTEGER NOT NULL, muted_until INTEGER, preview TEXT, has_left INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE marks (
          conversation_id BLOB PRIMARY KEY, own_read INTEGER, own_delivered INTEGER, others_delivered INTEGER,
          others_read INTEGER, counted INTEGER NOT NULL DEFAULT 0, counted_after INTEGER, counted_to INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cursors (
          conversation_id BLOB PRIMARY KEY, sort INTEGER NOT NULL, token TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE gaps (
          conversation_id BLOB NOT NULL, is_tail INTEGER NOT NULL, upper_position INTEGER NOT NULL,
          upper_id BLOB NOT NULL, lower_position INTEGER NOT NULL, lower_id BLOB NOT NULL,
          PRIMARY KEY (conversation_id, is_tail)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE people (
          id BLOB PRIMARY KEY, username TEXT NOT NULL, display_name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE members (
          conversation_id BLOB NOT NULL, user_id BLOB NOT NULL, is_manager INTEGER NOT NULL,
          has_left INTEGER NOT NULL, delivered INTEGER, read INTEGER, PRIMARY KEY (conversation_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE messages (
          num INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, conversation_id BLOB NOT NULL, sender_id BLOB,
          body TEXT NOT NULL, image_url TEXT, attachment TEXT, reply_to BLOB, created_at INTEGER NOT NULL,
          edited_at INTEGER, deleted_at INTEGER, position INTEGER, typed_order INTEGER NOT NULL,
          version INTEGER NOT NULL, failure TEXT
        ) STRICT;
        CREATE INDEX messages_in_order ON messages (conversation_id, position, id);
        CREATE INDEX messages_waiting ON messages (conversation_id, typed_order) WHERE position IS NULL;
        CREATE TABLE reactions (
          message_id BLOB NOT NULL, user_id BLOB NOT NULL, symbol TEXT NOT NULL, is_on INTEGER NOT NULL,
          version INTEGER NOT NULL, PRIMARY KEY (message_id, user_id, symbol)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox (
          seq INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id BLOB NOT NULL, kind TEXT NOT NULL,
          message_id BLOB, text TEXT, flag INTEGER, position INTEGER, slot TEXT UNIQUE,
          revision INTEGER NOT NULL DEFAULT 0, is_refused INTEGER NOT NULL DEFAULT 0,
          attempts INTEGER NOT NULL DEFAULT 0, failing_since INTEGER
        ) STRICT;
        CREATE INDEX outbox_in_order ON outbox (conversation_id, is_refused, seq);
        CREATE INDEX outbox_by_message ON outbox (message_id);
        CREATE TABLE drafts (conversation_id BLOB PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE message_search USING fts5 (
          text, content='', tokenize='unicode61 remove_diacritics 2'
        );
        """
}
