import Backend
import FoundationEssentials
import Models
import Store

extension OutboxRow {
    /// The operation as the service takes it.
    var outgoing: OutgoingOperation {
        serviceNames.isEmpty ? inOurNames : inOurNames.naming { serviceNames[$0] ?? $0 }
    }

    private var inOurNames: OutgoingOperation {
        switch operation {
        case .send(let message):
            .send(
                OutgoingMessage(
                    id: message.id, conversationID: message.conversationID, body: message.body,
                    replyTo: message.replyTo, attachment: message.attachment))
        case .edit(let id, let body): .edit(messageID: id, conversationID: conversationID, body: body)
        case .delete(let id): .delete(messageID: id, conversationID: conversationID)
        case .react(let id, let symbol, let isOn):
            .react(messageID: id, conversationID: conversationID, symbol: symbol, isOn: isOn)
        case .markRead(let id): .markRead(conversationID: conversationID, messageID: id)
        case .markDelivered(let id): .markDelivered(conversationID: conversationID, messageID: id)
        case .removeFiles(let id, let conversationID, _):
            .removeFiles(messageID: id, conversationID: conversationID)
        }
    }
}

extension StoredOperation {
    /// Whether a person asked for it; marks move by themselves, and files follow their messages.
    var isTheUsers: Bool {
        switch self {
        case .send, .edit, .delete, .react: true
        case .markRead, .markDelivered, .removeFiles: false
        }
    }
}

extension StoredOperation {
    /// Nothing stands behind it in its line that a person waits for, so it may be tried for ever.
    var blocksNobody: Bool {
        if case .removeFiles = self { true } else { false }
    }
}

extension WaitReason {
    /// How the page of the outbox tells it.
    var trouble: OutboxTrouble {
        switch self {
        case .offline: .offline
        case .timedOut: .timedOut
        case .serverFailed: .serverFailed
        case .askedToWait: .askedToWait
        }
    }
}

extension IncomingRows {
    init(_ change: MessageChange?) {
        self.init(
            messages: change.map { [$0.message] } ?? [],
            reactions: change?.reactions?.map { ReactionRow($0) } ?? [])
    }

    init(_ changes: [MessageChange]) {
        self.init(
            messages: changes.map(\.message),
            reactions: changes.flatMap { $0.reactions ?? [] }.map { ReactionRow($0) })
    }

    init(_ pages: [ChangePage]) {
        self.init(pages.flatMap(\.messages))
        reactions += pages.flatMap(\.reactions).map { ReactionRow($0) }
    }
}

extension ReactionRow {
    init(_ change: ReactionChange) {
        self.init(
            messageID: change.messageID, userID: change.userID, symbol: change.symbol, isOn: change.isOn,
            version: change.version)
    }
}

extension MemberMark {
    init(_ change: MemberChange) {
        self.init(
            conversationID: change.conversationID, userID: change.userID, isManager: change.isManager,
            hasLeft: change.hasLeft, deliveredPosition: change.deliveredPosition,
            readPosition: change.readPosition)
    }
}

extension SyncCursor {
    init(_ cursor: StoredCursor) { self.init(order: cursor.order, token: cursor.token) }
    var stored: StoredCursor { StoredCursor(order: order, token: token) }
}
