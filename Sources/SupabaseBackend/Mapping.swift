import Addresses
import Backend
import FoundationEssentials
import Models
import SupabaseWire
import Timestamps

/// From rows to models: the one place that knows both.
struct Mapping: Sendable {
    let address: ServerAddress
    let userID: UUID

    func change(_ row: MessageRow, reactions: [ReactionRow]? = nil) -> MessageChange {
        MessageChange(message: message(row), reactions: reactions?.map(reaction))
    }

    func message(_ row: MessageRow) -> Message {
        Message(
            id: row.id, conversationID: row.conversationID, senderID: row.senderID, body: row.body,
            imageURL: picture(row.imagePath, mime: row.attachmentMime), createdAt: date(row.createdAt),
            deliveryState: .sent, position: row.createdAt.microseconds, version: row.updatedAt.microseconds,
            replyTo: row.replyTo, editedAt: row.editedAt.map(date), deletedAt: row.deletedAt.map(date),
            attachment: row.imagePath.map { path in
                Attachment(
                    path: path, name: row.attachmentName, mimeType: row.attachmentMime,
                    size: row.attachmentSize.flatMap { (0...Self.largestFile).contains($0) ? $0 : nil },
                    width: row.attachmentWidth.flatMap(Self.pixels),
                    height: row.attachmentHeight.flatMap(Self.pixels))
            })
    }

    func reaction(_ row: ReactionRow) -> ReactionChange {
        ReactionChange(
            messageID: row.messageID, conversationID: row.conversationID, userID: row.userID,
            symbol: row.symbol, isOn: row.removedAt == nil, version: row.updatedAt.microseconds)
    }

    func memberChange(_ row: MemberRow) -> MemberChange {
        MemberChange(
            conversationID: row.conversationID, userID: row.userID, isManager: isManager(row.role),
            hasLeft: row.leftAt != nil, deliveredPosition: row.lastDeliveredAt?.microseconds,
            readPosition: row.lastReadAt?.microseconds)
    }

    /// A profile that is not visible leaves the names empty: the marks still count.
    func member(_ row: NamedMemberRow) -> Member {
        let change = memberChange(row.member)
        let names = row.profile
        return Member(
            conversationID: change.conversationID,
            person: Person(
                id: change.userID, username: names?.username ?? "", displayName: names?.displayName ?? ""),
            isManager: change.isManager, hasLeft: change.hasLeft,
            deliveredPosition: change.deliveredPosition, readPosition: change.readPosition)
    }

    func person(_ row: ProfileRow) -> Person {
        Person(id: row.id, username: row.username, displayName: row.displayName)
    }

    func head(_ row: ListedConversationRow) -> ConversationHead {
        let peer = row.peerID.map {
            Person(id: $0, username: row.peerUsername ?? "", displayName: row.peerDisplayName ?? "")
        }
        let conversation = Conversation(
            id: row.id, title: row.title ?? peer?.displayName ?? "", isGroup: row.isGroup,
            lastMessage: lastMessage(row), unreadCount: Self.count(row.unreadCount, limit: 1_000),
            activityAt: row.activityAt.microseconds,
            memberCount: Self.count(row.memberCount, limit: 1_000_000), peer: peer,
            isManagedByMe: row.isGroup && isManager(row.role),
            readPosition: row.lastReadAt?.microseconds,
            othersDeliveredPosition: row.othersDeliveredAt?.microseconds,
            othersReadPosition: row.othersReadAt?.microseconds, isPinned: row.pinnedAt != nil,
            isArchived: row.archivedAt != nil, mutedUntil: row.mutedUntil.map(date))
        return ConversationHead(
            conversation: conversation, changed: cursor(row.changedAt), pageToken: row.activityAt.text)
    }

    func cursor(_ time: Timestamp) -> SyncCursor {
        SyncCursor(order: time.microseconds, token: time.text)
    }

    /// The list's short form of a message. Its version is 0, so that the whole row always counts as later.
    private func lastMessage(_ row: ListedConversationRow) -> Message? {
        guard let id = row.lastMessageID, let createdAt = row.lastMessageCreatedAt else { return nil }
        return Message(
            id: id, conversationID: row.id, senderID: row.lastMessageSenderID,
            body: row.lastMessageBody ?? "",
            imageURL: picture(row.lastMessageImagePath, mime: nil), createdAt: date(createdAt),
            position: createdAt.microseconds, deletedAt: row.lastMessageDeletedAt.map(date),
            attachment: row.lastMessageImagePath.map { Attachment(path: $0) })
    }

    // What a server counts is added to and multiplied: no number of its own choosing may overflow that.

    private static let largestFile: Int64 = 1 << 50

    private static func count(_ value: Int, limit: Int) -> Int { min(max(value, 0), limit) }

    private static func pixels(_ value: Int) -> Int? { (1...100_000).contains(value) ? value : nil }

    private func isManager(_ role: MemberRole) -> Bool { role == .owner || role == .admin }

    private func date(_ time: Timestamp) -> Date { Date(microseconds: time.microseconds) }

    /// Only what the sender calls a picture is one; the extension decides where the sender says nothing.
    private func picture(_ path: String?, mime: String?) -> URL? {
        guard let path else { return nil }
        if let mime {
            return mime.lowercased().hasPrefix("image/") ? address.attachment(path) : nil
        }
        let suffix = path.split(separator: ".").last?.lowercased() ?? ""
        return ["png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "bmp"].contains(suffix)
            ? address.attachment(path) : nil
    }
}
