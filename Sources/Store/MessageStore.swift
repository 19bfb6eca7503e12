import Diagnostics
import FoundationEssentials
import Models
import SQLite

/// Everything one account keeps on disk: conversations, messages, and what waits to be sent.
///
/// Each method is one transaction: when it returns, its rows are on the disk; when it throws, nothing changed.
/// What changed goes to `changes` in the order of the commits. The store decides nothing about time, retries or
/// the service.
package actor MessageStore {
    /// The account's own person: decides what counts as unread and which reactions are one's own.
    package nonisolated let userID: UUID
    /// Every committed change, in order. One reader only; it ends with `close`.
    package nonisolated let changes: AsyncStream<StoreChange>

    /// Where the copies of files that wait to be sent are; whoever fills it makes it. `nil`: files are not taken.
    package nonisolated let spoolFolder: String?

    let connection: SQLConnection
    private var lock: AccountLock?
    private var isClosed = false
    private let place: StoreDirectory?
    private let changesContinuation: AsyncStream<StoreChange>.Continuation
    /// Messages that were removed outright in this run: a page that was read before must not bring them back.
    var buried: Set<UUID> = []
    var unclear = Unclear()
    /// Beside a store in memory; `nil` when nothing waits there, or nobody may write to it.
    var waitingBeside: WaitingBeside?
    /// Whether any message has another name; most services give none. `nil`: it was not asked yet.
    var hasNames: Bool?
    /// The work of the database so far; for tests of what may not grow with the history.
    package var stepCount: Int64 { connection.stepCount }
    /// The revision of the newest change.
    package private(set) var revision: Int64 = 0

    init(
        _ location: SQLConnection.Location, in place: StoreDirectory?, lock: AccountLock?, userID: UUID,
        spoolFolder: String?
    ) throws(StoreError) {
        self.userID = userID
        self.place = place
        self.lock = lock
        self.spoolFolder = spoolFolder
        (changes, changesContinuation) = AsyncStream.makeStream()
        do {
            let connection = try SQLConnection(location, durability: .full)
            try Migrations.run(on: connection)
            if place != nil { try Self.checkWhatWaits(on: connection) }
            self.connection = connection
        } catch let error as SQLiteError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .failed(code: -1)
        }
    }

    /// Looks at every page of the tables that no server could give back; they are small. Damage elsewhere is met
    /// when it is read.
    private static func checkWhatWaits(on connection: SQLConnection) throws(SQLiteError) {
        for table in ["outbox", "uploads", "drafts"] {
            let word = try connection.first("PRAGMA quick_check('\(table)')") { (row) throws(SQLiteError) in
                try row.get(0, as: String.self)
            }
            guard word == "ok" else { throw .corrupt }
        }
    }

    /// Opens, or makes, `store.sqlite` in an account's directory (made 0700 when missing; looser modes are
    /// tightened) and holds the account's lock until the store is gone.
    /// - Throws: `.inUse` when another process has the account open, `.tooNew`, `.damaged`, `.readOnly`.
    package static func open(directory: String, for userID: UUID) throws(StoreError) -> MessageStore {
        let place = try StoreDirectory(directory)
        let lock = try AccountLock(path: place.lockPath)
        if !place.hasDatabase { try place.finishRebuild() }
        if place.isMarkedDamaged || place.isDatabaseEmptied { throw .damaged }
        let isNew = !place.hasDatabase
        try place.makePrivateFile(place.databasePath)
        do throws(StoreError) {
            return try MessageStore(
                .file(place.databasePath), in: place, lock: lock, userID: userID, spoolFolder: place.spoolPath
            )
        } catch {
            if isNew { place.removeEmptyDatabase() }
            throw error
        }
    }

    /// The store that takes the place of a damaged one; the caller holds the account's lock.
    init(filling place: StoreDirectory, for userID: UUID) throws(StoreError) {
        try self.init(.file(place.rebuiltPath), in: nil, lock: nil, userID: userID, spoolFolder: nil)
    }

    /// A store that is gone when it is released.
    /// - Parameters:
    ///   - name: Other connections of this process find it under this word, and keep it.
    ///   - spoolFolder: Where copies of files that wait to be sent are.
    package static func inMemory(
        for userID: UUID = UUID(), named name: String? = nil, spoolFolder: String? = nil
    ) throws(StoreError) -> MessageStore {
        try MessageStore(
            name.map { .sharedMemory($0) } ?? .memory, in: nil, lock: nil, userID: userID,
            spoolFolder: spoolFolder)
    }

    /// Ends `changes` and lets another process have the account. Nothing waits to be written: every method has
    /// committed when it returns, and none commits anything later, which somebody who has opened it anew would miss.
    package func close() {
        if !isClosed { strikeOut() }
        isClosed = true
        lock = nil
        changesContinuation.finish()
    }

    /// Runs `body` in one transaction and publishes what it noted, once it is committed.
    @discardableResult
    func write<Result>(
        _ body: (inout ChangeNotes) throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        guard !isClosed else { throw .closed }
        do {
            var change = StoreChange(revision: revision + 1)
            var notes = ChangeNotes()
            let result = try connection.transaction { () throws(SQLiteError) in
                let result = try body(&notes)
                try load(notes, into: &change)
                return result
            }
            if !change.isEmpty {
                revision += 1
                changesContinuation.yield(change)
            }
            removeCopies(notes.spentCopies)
            if notes.outbox { strikeOut() }
            return result
        } catch {
            throw storeError(error)
        }
    }

    /// Runs `body` against one state of the database.
    func read<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        do { return try connection.reading(body) } catch { throw storeError(error) }
    }

    private func storeError(_ error: SQLiteError) -> StoreError {
        if error == .corrupt { place?.markDamaged() }
        return StoreError(error)
    }

    private func load(_ notes: ChangeNotes, into change: inout StoreChange) throws(SQLiteError) {
        change.messages = try loadMessages(notes.messages)
        change.arrivals = notes.arrivals
        for id in notes.conversations.sorted() {
            if let conversation = try loadConversation(id) { change.conversations.append(conversation) }
        }
        change.left = notes.left
        change.members = notes.members
        change.dropped = notes.dropped
        change.vanished = notes.vanished
        for id in notes.gaps { change.gaps[id] = .some(try loadGap(id)?.upper.position) }
        change.enqueued = notes.enqueued
        if notes.outbox { change.waitingCount = try loadWaitingCount() }
    }
}

extension StoreError {
    init(_ error: SQLiteError) {
        switch error {
        case .full: self = .diskFull
        case .readOnly, .cannotOpen: self = .readOnly
        case .corrupt: self = .damaged
        case .busy: self = .failed(code: 5)
        case .ioError(let code), .constraint(let code), .misuse(let code, _): self = .failed(code: code)
        }
    }
}
