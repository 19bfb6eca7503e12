"""Bugs that a messenger like this one could have, each as changes of its sources: a file, what stands there, what is put
in its place. `isPlanted(#)` says in the program whether this bug is the one that is wanted."""

OUTBOX = "Sources/Sync/Outbox.swift"
INBOX = "Sources/Sync/SyncEngine+Inbox.swift"
EFFECTS = "Sources/Sync/SyncEngine+Effects.swift"
DELIVERY = "Sources/Sync/DeliveryCore.swift"
ENQUEUE = "Sources/Store/MessageStore+Outbox.swift"
READING = "Tests/Simulation/ModelServer+Reading.swift"

BUGS = {
    "forget what is enqueued during a drain": [
        (
            OUTBOX,
            "guard end == .empty, askedAgain.contains(conversationID) else",
            "guard end == .empty, askedAgain.contains(conversationID), !isPlanted(#) else",
        ),
        # Told twice, by the call and by the change of the store, it would be forgotten only where both come in the drain.
        (
            "Sources/Sync/SyncEngine+Streams.swift",
            "        for id in change.enqueued { receive(.enqueued(id)) }\n",
            "        for id in change.enqueued where !isPlanted(#) { receive(.enqueued(id)) }\n",
        ),
    ],
    "mark as sent before the answer": [
        (
            OUTBOX,
            "        switch await backend.perform(row.outgoing) {",
            "        if isPlanted(#), case .send = row.operation {\n"
            "            try await store.finish(row, with: IncomingRows())\n"
            "        }\n"
            "        switch await backend.perform(row.outgoing) {",
        ),
    ],
    "take the cursor from a live event": [
        (
            INBOX,
            "            try await store.merge(batch, unsure: core.unsure(among: touched))\n",
            "            try await store.merge(batch, unsure: core.unsure(among: touched))\n"
            "            for message in batch.messages where isPlanted(#) {\n"
            '                let cursor = StoredCursor(order: message.version, token: "at \\(message.version)")\n'
            "                try await store.completeCatchUp(\n"
            "                    of: message.conversationID, IncomingRows(), cursor: cursor)\n"
            "            }\n",
        ),
    ],
    "let a later message overtake": [
        (
            ENQUEUE,
            "AND seq > ?2 ORDER BY seq LIMIT 1",
            'AND seq > ?2 ORDER BY \\(isPlanted(#) ? "attempts, " : "")seq LIMIT 1',
        ),
    ],
    "take “already exists” for a refusal": [
        (
            "Tests/Simulation/SimulatedBackend.swift",
            "        case .success(.refused(ModelServer.taken)): return await readBack(operation)\n",
            "        case .success(.refused(ModelServer.taken)) where !isPlanted(#):\n"
            "            return await readBack(operation)\n",
        ),
    ],
    "lose a draft": [
        (
            ENQUEUE,
            "FROM drafts WHERE conversation_id = ?1 AND substr(?2, 1, length(text)) = text",
            'FROM drafts WHERE \\(isPlanted(#) ? "?1 <> ?2 OR " : "")(conversation_id = ?1 '
            "AND substr(?2, 1, length(text)) = text)",
        ),
    ],
    "drop the outbox at sign-out": [
        (
            EFFECTS,
            "        case .tellSignedOut: noticeStreams.send(.signedOut)\n",
            "        case .tellSignedOut:\n"
            "            noticeStreams.send(.signedOut)\n"
            "            guard isPlanted(#) else { return }\n"
            "            run { engine in\n"
            "                for id in (try? await engine.store.conversationsWaiting()) ?? [] {\n"
            "                    while let row = try? await engine.store.nextWaiting(in: id) {\n"
            "                        try? await engine.store.finish(row, with: IncomingRows())\n"
            "                    }\n"
            "                }\n"
            "            }\n",
        ),
    ],
    "hold a channel twice": [
        (
            "Sources/Sync/ChannelHolder.swift",
            "            if joins { await backend.joinChannel(of: id) }",
            "            if joins, isPlanted(#) { await backend.joinChannel(of: id) }\n"
            "            if joins { await backend.joinChannel(of: id) }",
        ),
    ],
    "count unread messages from live events only": [
        (
            "Sources/Store/MessageStore+Conversations.swift",
            "marks.counted = head.unreadCount",
            "marks.counted = isPlanted(#) ? 0 : head.unreadCount",
        ),
    ],
    "forget Retry-After": [
        (
            OUTBOX,
            "        quiet[row.conversationID] = delay.map { clock.uptime() + $0 }\n",
            "        if !isPlanted(#) { quiet[row.conversationID] = delay.map { clock.uptime() + $0 } }\n",
        ),
        (
            DELIVERY,
            "backoff.next(atLeast: after ?? .milliseconds(500))",
            "backoff.next(atLeast: isPlanted(#) ? .zero : after ?? .milliseconds(500))",
        ),
    ],
    "let an older form of a message win": [
        (
            "Sources/Store/MessageStore+Merging.swift",
            "        guard held.position == nil || held.version < row.version else { return false }\n",
            "        guard isPlanted(#) || held.position == nil || held.version < row.version else { return false }\n",
        ),
    ],
    "ask again at once while a round runs": [
        (
            "Sources/Sync/CatchUpCore.swift",
            "        nextRound = nil\n        doubts = [:]\n        guard round == nil else {",
            "        if !isPlanted(#) {\n            nextRound = nil\n            doubts = [:]\n        }\n"
            "        guard round == nil else {",
        ),
    ],
    "call history whole below a message that came alone": [
        (
            "Sources/Store/MessageStore+History.swift",
            "tail.upper != .end, key >= tail.upper,\n                oldest ?? .start < tail.upper",
            "isPlanted(#)\n                ? key <= tail.upper\n                : tail.upper != .end && key >= tail.upper\n"
            "                    && oldest ?? .start < tail.upper",
        ),
    ],
    "forget that a deletion waits when its message is refused": [
        (
            "Sources/Store/MessageStore+Outcomes.swift",
            "            if reason.isCertain { try fulfilHere(of: message.id, &notes) }\n",
            "            if reason.isCertain, !isPlanted(#) { try fulfilHere(of: message.id, &notes) }\n",
        ),
    ],
    "forget a conversation that was asked to wait": [
        (
            DELIVERY,
            "            if isLive { waiting[id] = now + delay }\n",
            "            if isLive, !isPlanted(#) { waiting[id] = now + delay }\n",
        ),
    ],
    "leave the file of a deleted message": [
        (
            "Sources/Store/MessageStore+Residue.swift",
            "        guard hadFile == true else { return }\n",
            "        guard hadFile == true, !isPlanted(#) else { return }\n",
        ),
    ],
    "bring back a message that was removed outright": [
        (
            "Sources/Store/MessageStore+Merging.swift",
            "let key = ThreadKey(message), !buried.contains(message.id) else",
            "let key = ThreadKey(message), isPlanted(#) || !buried.contains(message.id) else",
        ),
    ],
    "answer who was taken out as if nothing were there": [
        (
            READING,
            "isMember(user, of: id) else { return .failure(.notAllowed) }\n        let older",
            "isMember(user, of: id) else {\n"
            "            return isPlanted(#) ? .success([]) : .failure(.notAllowed)\n        }\n        let older",
        ),
        (
            READING,
            "isMember(user, of: id) else { return .failure(.notAllowed) }\n        if !place",
            "isMember(user, of: id) else {\n"
            "            let nothing = ChangePage(messages: [], reactions: [], next: nil)\n"
            "            return isPlanted(#) ? .success(nothing) : .failure(.notAllowed)\n        }\n        if !place",
        ),
    ],
}
