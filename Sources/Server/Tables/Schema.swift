/// The server's tables, by numbered step. A step that was released is never edited; a change is a new one.
///
/// UUIDs are text in lower case, instants microseconds since 1970, flags 0 and 1. The rules of who may write what
/// are in code; the constraints here are the last line, and a bug in our own rules is all that can meet them.
enum Schema {
    static let steps: [String] = [accounts + tables + search, storage, flags, quota]

    private static let accounts = """
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE users (
            id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL,
            user_metadata TEXT NOT NULL, identity_id TEXT NOT NULL, confirmed_at INTEGER NOT NULL,
            last_sign_in_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL, signed_in_at INTEGER NOT NULL) STRICT;
        CREATE INDEX sessions_user ON sessions (user_id);
        CREATE TABLE refresh_tokens (
            token TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            parent TEXT, is_active INTEGER NOT NULL, spent_at INTEGER, created_at INTEGER NOT NULL) STRICT;
        CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id, is_active);

        """

    private static let tables = """
        CREATE TABLE profiles (
            id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            username TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, about TEXT NOT NULL DEFAULT '',
            avatar_path TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
        CREATE TABLE conversations (
            id TEXT PRIMARY KEY, title TEXT, is_group INTEGER NOT NULL, direct_key TEXT UNIQUE, avatar_path TEXT,
            created_by TEXT REFERENCES profiles (id) ON DELETE SET NULL, last_message_at INTEGER,
            changed_at INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
        CREATE TABLE conversation_members (
            conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'admin', 'member')),
            joined_at INTEGER NOT NULL, left_at INTEGER, last_read_at INTEGER, last_delivered_at INTEGER,
            muted_until INTEGER, pinned_at INTEGER, archived_at INTEGER,
            PRIMARY KEY (conversation_id, user_id)) STRICT, WITHOUT ROWID;
        CREATE INDEX members_user ON conversation_members (user_id, conversation_id) WHERE left_at IS NULL;
        CREATE TABLE messages (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            sender_id TEXT REFERENCES profiles (id) ON DELETE SET NULL,
            body TEXT NOT NULL DEFAULT '', image_path TEXT, attachment_name TEXT, attachment_mime TEXT,
            attachment_size INTEGER, attachment_width INTEGER, attachment_height INTEGER,
            reply_to TEXT, edited_at INTEGER, deleted_at INTEGER,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
        CREATE INDEX messages_history ON messages (conversation_id, created_at DESC, id DESC);
        CREATE INDEX messages_sync ON messages (conversation_id, updated_at, id);
        CREATE TABLE reactions (
            message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
            user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            symbol TEXT NOT NULL, conversation_id TEXT NOT NULL, removed_at INTEGER,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
            PRIMARY KEY (message_id, user_id, symbol)) STRICT, WITHOUT ROWID;
        CREATE INDEX reactions_sync ON reactions (conversation_id, updated_at);

        """

    /// Pin, archive and mute leave the membership, which every member reads.
    private static let flags = """
        CREATE TABLE conversation_flags (
            conversation_id TEXT NOT NULL, user_id TEXT NOT NULL,
            muted_until INTEGER, pinned_at INTEGER, archived_at INTEGER,
            PRIMARY KEY (conversation_id, user_id),
            FOREIGN KEY (conversation_id, user_id)
                REFERENCES conversation_members (conversation_id, user_id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
        INSERT INTO conversation_flags (conversation_id, user_id, muted_until, pinned_at, archived_at)
            SELECT conversation_id, user_id, muted_until, pinned_at, archived_at FROM conversation_members
            WHERE coalesce(muted_until, pinned_at, archived_at) IS NOT NULL;
        ALTER TABLE conversation_members DROP COLUMN muted_until;
        ALTER TABLE conversation_members DROP COLUMN pinned_at;
        ALTER TABLE conversation_members DROP COLUMN archived_at;
        """

    /// What an account's objects take is summed up from the index alone.
    private static let quota = """
        CREATE INDEX storage_objects_owner ON storage_objects (owner_id, size);
        """

    /// Kept by `Session`: a schema that is not trusted may not reach a virtual table from a trigger.
    private static let search = """
        CREATE VIRTUAL TABLE messages_search USING fts5 (
            body, content='messages', content_rowid='position', tokenize='unicode61 remove_diacritics 0');
        """

    /// `digest` names a file beside the database; `conversation_id` is the one whose members may read the object.
    private static let storage = """
        CREATE TABLE storage_buckets (
            id TEXT PRIMARY KEY, is_public INTEGER NOT NULL, size_limit INTEGER, mime_types TEXT,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
        INSERT INTO storage_buckets VALUES
            ('attachments', 0, 52428800, NULL, unixepoch() * 1000000, unixepoch() * 1000000);
        CREATE TABLE storage_objects (
            id TEXT PRIMARY KEY, bucket_id TEXT NOT NULL REFERENCES storage_buckets (id), name TEXT NOT NULL,
            conversation_id TEXT, owner_id TEXT, version TEXT NOT NULL, digest TEXT NOT NULL,
            size INTEGER NOT NULL, mime_type TEXT NOT NULL, cache_control TEXT NOT NULL, metadata TEXT NOT NULL,
            created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, UNIQUE (bucket_id, name)) STRICT;
        CREATE INDEX storage_objects_digest ON storage_objects (digest);
        """
}

/// Instants that mean something of their own, in microseconds since 1970.
enum Instant {
    /// 9999-12-31: stands for "without end", and every client can read it.
    static let endOfTime: Int64 = 253_402_214_400_000_000
    /// 0001-01-01: stands for "before all".
    static let startOfTime: Int64 = -62_135_596_800_000_000
}
