"""Bugs that a messenger like this one could have, each as changes of its sources: a file, what stands there, what is put
in its place."""

OUTBOX = "Sources/Sync/Outbox.swift"
INBOX = "Sources/Sync/SyncEngine+Inbox.swift"
EFFECTS = "Sources/Sync/SyncEngine+Effects.swift"
ENQUEUE = "Sources/Store/MessageStore+Outbox.swift"

BUGS = {
    "forget what is enqueued during a drain": [
        (OUTBOX, "guard end == .empty, askedAgain.contains(conversationID) else { return end }", "return end"),
    ],
    "mark as sent before the answer": [
        (
            OUTBOX,
            "        switch await backend.perform(row.outgoing) {",
            "        if case .send = row.operation { try await store.finish(row, with: IncomingRows()) }\n"
            "        switch await backend.perform(row.outgoing) {",
        ),
    ],
    "take the cursor from a live event": [
        (
            INBOX,
            "            try await store.merge(batch, unsure: core.unsure(among: touched))\n",
            "            try await store.merge(batch, unsure: core.unsure(among: touched))\n"
            "            for message in batch.messages {\n"
            '                let cursor = StoredCursor(order: message.version, token: "at \\(message.version)")\n'
            "                try await store.completeCatchUp(\n"
            "                    of: message.conversationID, IncomingRows(), cursor: cursor)\n"
            "            }\n",
        ),
    ],
    "let a later message overtake": [
        (ENQUEUE, "AND seq > ?2 ORDER BY seq LIMIT 1", "AND seq > ?2 ORDER BY attempts, seq LIMIT 1"),
    ],
    "take “already exists” for a refusal": [
        (
            "Tests/Simulation/SimulatedBackend.swift",
            "        case .success(.refused(ModelServer.taken)): return await readBack(operation)\n",
            "",
        ),
    ],
    "lose a draft": [
        (ENQUEUE, "WHERE conversation_id = ?1 AND substr(?2, 1, length(text)) = text", "WHERE ?1 <> ?2"),
    ],
    "drop the outbox at sign-out": [
        (
            EFFECTS,
            "        case .tellSignedOut: noticeStreams.send(.signedOut)\n",
            "        case .tellSignedOut:\n"
            "            noticeStreams.send(.signedOut)\n"
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
            "            if joins { await backend.joinChannel(of: id) }\n"
            "            if joins { await backend.joinChannel(of: id) }",
        ),
    ],
    "count unread messages from live events only": [
        ("Sources/Store/MessageStore+Conversations.swift", "marks.counted = head.unreadCount", "marks.counted = 0"),
    ],
    "forget Retry-After": [
        (OUTBOX, "            quiet[row.conversationID] = delay.map { clock.uptime() + $0 }\n", ""),
        ("Sources/Sync/DeliveryCore.swift", "backoff.next(atLeast: after ?? .milliseconds(500))", "backoff.next()"),
    ],
    "let an older form of a message win": [
        (
            "Sources/Store/MessageStore+Merging.swift",
            "        guard held.position == nil || held.version < row.version else { return false }\n",
            "",
        ),
    ],
    "ask again at once while a round runs": [
        (
            "Sources/Sync/CatchUpCore.swift",
            "        nextRound = nil\n        doubts = [:]\n        guard round == nil else {",
            "        guard round == nil else {",
        ),
    ],
    "call history whole below a message that came alone": [
        (
            "Sources/Store/MessageStore+History.swift",
            "tail.upper != .end, key >= tail.upper,\n                oldest ?? .start < tail.upper",
            "key <= tail.upper",
        ),
    ],
    "forget that a deletion waits when its message is refused": [
        (
            "Sources/Store/MessageStore+Outcomes.swift",
            "            if reason.isCertain { try fulfilHere(of: message.id, &notes) }\n",
            "",
        ),
    ],
    "forget a conversation that was asked to wait": [
        (
            "Sources/Sync/DeliveryCore.swift",
            "            if isLive { waiting[id] = now + delay }\n",
            "",
        ),
    ],
}
