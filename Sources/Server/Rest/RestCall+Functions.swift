import SQLite

extension RestCall {
    /// Calls a function: POST with its arguments as the body, or GET when it only reads.
    func function(_ name: String) async throws(Refusal) -> Answer {
        guard ["POST", "GET", "HEAD"].contains(request.method) else {
            throw Refusal(405, "PGRST101", "Only GET, HEAD and POST verbs are allowed on functions")
        }
        guard let function = Function(rawValue: name) else { throw FunctionArguments.unknown(name, []) }
        guard request.method == "POST" || function.onlyReads else {
            throw Refusal(405, "25006", "cannot execute \(name) in a read-only transaction")
        }
        guard let user = caller.userID else { throw .denied("permission denied for function \(name)") }
        if function.onlyReads { return try await set(function, user) }
        return try await database.write { session throws(Refusal) in
            let arguments = try FunctionArguments(function, body: request.body, now: session.now)
            return try write(function, arguments, session, user)
        }
    }

    private func set(_ function: Function, _ user: String) async throws(Refusal) -> Answer {
        let isPost = request.method == "POST"
        let query = try ReadQuery(
            request.query, range: range, arguments: isPost ? [] : Set(function.arguments.map(\.name)))
        try checkOrder(query, function)
        let isCounted = shape.preferences.isCounted
        let isHead = request.method == "HEAD"
        return try await database.read { session throws(Refusal) in
            let arguments =
                isPost
                ? try FunctionArguments(function, body: request.body, now: session.now)
                : try FunctionArguments(function, query: request.query)
            guard let source = try SetFunctions.source(function, arguments, user: user) else {
                throw FunctionArguments.unknown(function.rawValue, [])
            }
            let found = try Reader(session: session, user: user).read(source, query, isCounted: isCounted)
            return try shape.rows(found, offset: query.offset, isHead: isHead)
        }
    }

    /// Rows of a function's own can be ordered by what is selected only.
    private func checkOrder(_ query: ReadQuery, _ function: Function) throws(Refusal) {
        guard function == .listConversations, !query.items.contains(.all) else { return }
        let selected = query.items.compactMap { if case .column(let name, _, _) = $0 { name } else { nil } }
        for term in query.order where !selected.contains(term.column) {
            throw .unknownColumn(term.column, function.rawValue)
        }
    }

    private func write(
        _ function: Function, _ arguments: FunctionArguments, _ session: Session, _ user: String
    ) throws(Refusal) -> Answer {
        let conversations = ConversationFunctions(session: session, user: user)
        let members = MemberFunctions(session: session, user: user)
        switch function {
        case .createConversation: return try row(try conversations.create(arguments))
        case .addMembers: return shape.scalar(String(try conversations.addMembers(arguments)))
        case .leaveConversation:
            try conversations.leave(arguments)
            return shape.empty(204)
        case .markRead: return instant(try members.mark(arguments, isRead: true))
        case .markDelivered: return instant(try members.mark(arguments, isRead: false))
        case .setConversationFlags: return try row(try members.setFlags(arguments))
        case .setReaction: return try row(try members.setReaction(arguments))
        case .listConversations, .searchMessages, .searchProfiles:
            throw FunctionArguments.unknown(function.rawValue, [])
        }
    }

    private func instant(_ value: SQLValue) -> Answer {
        var writer = JSONText()
        writer.column(value, .timestamptz)
        return shape.scalar(writer.text)
    }

    /// A row type is answered as one object, with the selection the query asks for.
    private func row(_ row: StoredRow?) throws(Refusal) -> Answer {
        guard let row else { return shape.scalar("null") }
        let query = try ReadQuery(request.query)
        guard query.items == [.all], !query.hasFilter else {
            throw .unparsable("select parameter: \(row.table.rawValue) comes whole")
        }
        return shape.scalar(row.jsonText)
    }
}
