import SQLite

/// Why a call is refused, in the code and status its client decides by.
///
/// The REST and the Auth door print it in shapes of their own; the words of `message` are never decided by.
struct Refusal: Error, Equatable, Sendable {
    var status: Int
    var code: String
    var message: String
    var details: String?
    var hint: String?
    /// Choices of an ambiguous embedding, as JSON; printed in place of `details`.
    var choices: String?
    /// REST only: the range header that tells how many rows there are.
    var contentRange: String?
    /// Auth only: why a password is too weak.
    var weakPasswordReasons: [String]?
    /// Auth only: seconds after which another try can succeed.
    var retryAfter: Int?

    init(_ status: Int, _ code: String, _ message: String, details: String? = nil, hint: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
    }

    /// The disk or our own SQL failed: nothing the caller did.
    init(_ error: SQLiteError) {
        switch error {
        case .busy: self.init(503, "53300", "the database is busy")
        case .full: self.init(503, "53100", "the disk is full")
        case .constraint(let code): self.init(400, "23000", "constraint violation", details: "code \(code)")
        case .misuse where error.isInterrupted:
            self.init(500, "57014", "canceling statement due to statement timeout")
        case .cannotOpen, .readOnly, .ioError, .corrupt, .misuse:
            self.init(500, "XX000", "the database failed")
        }
        cause = error
    }

    /// What SQLite said; for the log only.
    private(set) var cause: SQLiteError?

    // The codes of PostgreSQL that several rules share.

    static func denied(_ message: String) -> Refusal { Refusal(403, "42501", message) }

    static func policy(_ table: String) -> Refusal {
        denied("new row violates row-level security policy for table \"\(table)\"")
    }

    static func permission(_ table: String) -> Refusal { denied("permission denied for table \(table)") }

    static func check(_ constraint: String, _ table: String) -> Refusal {
        Refusal(
            400, "23514", "new row for relation \"\(table)\" violates check constraint \"\(constraint)\"")
    }

    static func taken(_ constraint: String) -> Refusal {
        Refusal(409, "23505", "duplicate key value violates unique constraint \"\(constraint)\"")
    }

    static func missing(_ constraint: String, _ table: String) -> Refusal {
        Refusal(
            409, "23503",
            "insert or update on table \"\(table)\" violates foreign key constraint \"\(constraint)\"")
    }

    static func null(_ column: String, _ table: String) -> Refusal {
        Refusal(
            400, "23502",
            "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
    }

    static func unknownColumn(_ column: String, _ table: String) -> Refusal {
        Refusal(400, "42703", "column \(table).\(column) does not exist")
    }

    static func unparsable(_ what: String, details: String? = nil) -> Refusal {
        Refusal(400, "PGRST100", "\"failed to parse \(what)\"", details: details)
    }
}
