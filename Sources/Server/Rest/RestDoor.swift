import SQLite

/// The REST door: one path segment names a table or view, `rpc/<name>` a function.
struct RestDoor: Sendable {
    let database: Database
    let signer: TokenSigner
    let gate: Gate
    let now: @Sendable () -> Int64

    /// - Parameter path: What follows `/rest/v1`.
    func answer(_ request: IncomingRequest, path: [String]) async -> Answer {
        var caller = Caller.anonymous
        do {
            caller = try gate.restCaller(request, now: now())
            return try await answer(request, path, caller)
        } catch {
            return RestAnswer.refusal(error, isAnonymous: caller.role == .anonymous)
        }
    }

    private func answer(_ request: IncomingRequest, _ path: [String], _ caller: Caller) async throws(Refusal)
        -> Answer
    {
        for name in ["accept-profile", "content-profile"] {
            guard let profile = request.header(name), profile != "public" else { continue }
            throw Refusal(406, "PGRST106", "The schema must be one of the following: public")
        }
        let preferences = try Preferences(request.list("prefer"))
        let shape = RestAnswer(media: try MediaType(accept: request.list("accept")), preferences: preferences)
        if path.count == 2, path[0] == "rpc" {
            return try await RestCall(database: database, request: request, caller: caller, shape: shape)
                .function(path[1])
        }
        guard path.count == 1 else { throw Refusal(404, "PGRST125", "Invalid path specified in request URL") }
        guard let table = Table(rawValue: path[0]) else {
            throw Refusal(
                404, "PGRST205", "Could not find the table 'public.\(path[0])' in the schema cache")
        }
        return try await RestCall(database: database, request: request, caller: caller, shape: shape)
            .table(table)
    }
}

/// One REST call whose headers were understood.
struct RestCall: Sendable {
    let database: Database
    let request: IncomingRequest
    let caller: Caller
    let shape: RestAnswer

    private func signedIn(_ what: String) throws(Refusal) -> String {
        guard let user = caller.userID else { throw .denied("permission denied for \(what)") }
        return user
    }

    func table(_ table: Table) async throws(Refusal) -> Answer {
        switch request.method {
        case "GET", "HEAD": return try await read(table)
        case "POST": return try await insert(into: table)
        case "PATCH": return try await update(table)
        case "DELETE": return try await delete(from: table)
        default: throw Refusal(405, "PGRST117", "Unsupported HTTP method: \(request.method)")
        }
    }

    private func read(_ table: Table) async throws(Refusal) -> Answer {
        let query = try ReadQuery(request.query, range: range)
        let user = try signedIn("table \(table.rawValue)")
        let isCounted = shape.preferences.isCounted
        let isHead = request.method == "HEAD"
        return try await database.read { session throws(Refusal) in
            let found = try Reader(session: session, user: user).read(
                Source(table), query, isCounted: isCounted)
            return try shape.rows(found, offset: query.offset, isHead: isHead)
        }
    }

    private func insert(into table: Table) async throws(Refusal) -> Answer {
        let query = try ReadQuery(request.query)
        return try await database.write { session throws(Refusal) in
            let payload = try payload(table, query, session)
            let user = try signedIn("table \(table.rawValue)")
            let preferences = shape.preferences
            let writer = Writer(session: session, user: user, table: table)
            let written = try writer.insert(payload, query, preferences)
            let merges = preferences.resolution == .mergeDuplicates
            let status = merges && !written.hasNew && !written.rows.isEmpty ? 200 : 201
            return try show(written, query, session, user, shown: status, unshown: status)
        }
    }

    private func update(_ table: Table) async throws(Refusal) -> Answer {
        let query = try ReadQuery(request.query)
        return try await database.write { session throws(Refusal) in
            let payload = try payload(table, query, session)
            let user = try signedIn("table \(table.rawValue)")
            let written = try Writer(session: session, user: user, table: table).update(payload, query)
            return try show(written, query, session, user, shown: 200, unshown: 204)
        }
    }

    private func delete(from table: Table) async throws(Refusal) -> Answer {
        let query = try ReadQuery(request.query)
        let user = try signedIn("table \(table.rawValue)")
        return try await database.read { session throws(Refusal) in
            try Writer(session: session, user: user, table: table).delete(query)
        }
    }

    private func payload(_ table: Table, _ query: ReadQuery, _ session: Session) throws(Refusal) -> Payload {
        try Payload(
            request.body, for: table, columns: query.columns,
            missingIsDefault: shape.preferences.missingIsDefault
                || query.columns == nil && !request.body.startsArray, now: session.now)
    }

    /// The rows as written, each as the caller may read it.
    private func show(
        _ written: Writer.Written, _ query: ReadQuery, _ session: Session, _ user: String, shown: Int,
        unshown: Int
    ) throws(Refusal) -> Answer {
        switch shape.preferences.returned {
        case .representation: break
        case .headersOnly:
            let row = written.rows.first
            let key = row.map { row in
                row.table.primaryKey.map { "\($0)=eq.\(row.text($0) ?? "")" }.joined(separator: "&")
            }
            return shape.empty(unshown, location: key.map { "/\(written.rows[0].table.rawValue)?\($0)" })
        case .minimal, nil: return shape.empty(unshown)
        }
        var rows: [OutputRow] = []
        for row in written.rows {
            var one = query
            one.condition = .all(row.table.primaryKey.map { .column($0, .order(.eq, row.text($0) ?? "")) })
            one.limit = nil
            one.offset = 0
            let found = try Reader(session: session, user: user)
                .read(Source(row.table), one, isCounted: false)
            guard let first = found.rows.first else {
                if query.embeds.contains(where: \.isInner) { continue }
                throw .policy(row.table.rawValue)
            }
            rows.append(first)
        }
        return try shape.written(rows, status: shown)
    }

    /// A range of rows; other units than rows are none of ours.
    var range: String? {
        guard request.header("range-unit") ?? "items" == "items" else { return nil }
        guard let range = request.header("range") else { return nil }
        return range.hasPrefix("items=") ? String(range.dropFirst(6)) : range
    }
}

extension [UInt8] {
    /// Whether the JSON text begins a list.
    fileprivate var startsArray: Bool {
        first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}
