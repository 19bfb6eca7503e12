/// What went wrong in SQLite, by what the caller can do about it.
package enum SQLiteError: Error, Equatable, Sendable {
    /// The file cannot be opened or made: missing directory, no permission.
    case cannotOpen(code: Int32)
    /// Another connection holds the lock longer than the busy timeout.
    case busy
    /// The disk, or the quota, is full.
    case full
    /// The file or its directory may not be written.
    case readOnly
    /// Reading or writing the file failed below SQLite.
    case ioError(code: Int32)
    /// The file is no database, or its pages are damaged.
    case corrupt
    /// A constraint refused the row; `code` is the extended code, which tells a key from a check.
    case constraint(code: Int32)
    /// Anything else: a fault in our SQL. `message` is SQLite's own, for the log.
    case misuse(code: Int32, message: String)

    init(code: Int32, message: @autoclosure () -> String) {
        switch code & 0xFF {
        case 14: self = .cannotOpen(code: code)
        case 5, 6: self = .busy
        case 13: self = .full
        case 8: self = .readOnly
        case 3: self = .readOnly
        case 10: self = .ioError(code: code)
        case 11, 26: self = .corrupt
        case 19: self = .constraint(code: code)
        default: self = .misuse(code: code, message: message())
        }
    }

    /// `SQLITE_CONSTRAINT_PRIMARYKEY` or `SQLITE_CONSTRAINT_UNIQUE`: the key is taken.
    package var isTakenKey: Bool {
        self == .constraint(code: 1555) || self == .constraint(code: 2067)
    }

    /// `SQLITE_INTERRUPT`: the statement ran past the connection's time limit.
    package var isInterrupted: Bool {
        if case .misuse(code: 9, _) = self { true } else { false }
    }

    /// `SQLITE_CONSTRAINT_FOREIGNKEY`: a row that is referred to is missing.
    package var isMissingReference: Bool { self == .constraint(code: 787) }
}
