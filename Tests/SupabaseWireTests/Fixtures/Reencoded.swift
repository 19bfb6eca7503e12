import FoundationEssentials
import SupabaseWire
import Timestamps

/// What was read, written again under the names of the wire: only what landed in its place comes back.
protocol Reencoded {
    var json: JSONValue { get }
}

extension JSONValue {
    static func of(_ id: UUID?) -> JSONValue { id.map { .string($0.uuidString.lowercased()) } ?? .null }
    static func of(_ time: Timestamp?) -> JSONValue { time.map { .string($0.text) } ?? .null }
    static func of(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    static func of(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
    static func of(_ number: Int?) -> JSONValue { of(number.map { Int64($0) }) }
    static func of(_ flag: Bool) -> JSONValue { .bool(flag) }
    static func of(_ role: MemberRole) -> JSONValue { .string(role.rawValue) }

    /// With the members of another object added.
    func adding(_ others: [String: JSONValue]) -> JSONValue {
        .object((object ?? [:]).merging(others) { $1 })
    }
}

extension MessageRow: Reencoded {
    var json: JSONValue {
        [
            "id": .of(id), "conversation_id": .of(conversationID), "sender_id": .of(senderID),
            "body": .of(body), "image_path": .of(imagePath), "attachment_name": .of(attachmentName),
            "attachment_mime": .of(attachmentMime), "attachment_size": .of(attachmentSize),
            "attachment_width": .of(attachmentWidth), "attachment_height": .of(attachmentHeight),
            "reply_to": .of(replyTo), "edited_at": .of(editedAt), "deleted_at": .of(deletedAt),
            "created_at": .of(createdAt), "updated_at": .of(updatedAt),
        ]
    }
}

extension ReactionRow: Reencoded {
    var json: JSONValue {
        [
            "message_id": .of(messageID), "user_id": .of(userID), "symbol": .of(symbol),
            "conversation_id": .of(conversationID), "removed_at": .of(removedAt),
            "created_at": .of(createdAt), "updated_at": .of(updatedAt),
        ]
    }
}

extension MemberRow: Reencoded {
    var json: JSONValue {
        [
            "conversation_id": .of(conversationID), "user_id": .of(userID), "role": .of(role),
            "joined_at": .of(joinedAt), "left_at": .of(leftAt), "last_read_at": .of(lastReadAt),
            "last_delivered_at": .of(lastDeliveredAt),
        ]
    }
}

extension ConversationRow: Reencoded {
    var json: JSONValue {
        [
            "id": .of(id), "title": .of(title), "is_group": .of(isGroup), "changed_at": .of(changedAt),
        ]
    }
}

extension ListedConversationRow: Reencoded {
    var json: JSONValue {
        [
            "id": .of(id), "title": .of(title), "is_group": .of(isGroup), "changed_at": .of(changedAt),
            "activity_at": .of(activityAt), "role": .of(role), "muted_until": .of(mutedUntil),
            "pinned_at": .of(pinnedAt), "archived_at": .of(archivedAt), "member_count": .of(memberCount),
            "peer_id": .of(peerID), "peer_username": .of(peerUsername),
            "peer_display_name": .of(peerDisplayName), "last_read_at": .of(lastReadAt),
            "last_delivered_at": .of(lastDeliveredAt), "others_read_at": .of(othersReadAt),
            "others_delivered_at": .of(othersDeliveredAt), "unread_count": .of(unreadCount),
            "last_message_id": .of(lastMessageID), "last_message_sender_id": .of(lastMessageSenderID),
            "last_message_body": .of(lastMessageBody),
            "last_message_image_path": .of(lastMessageImagePath),
            "last_message_deleted_at": .of(lastMessageDeletedAt),
            "last_message_created_at": .of(lastMessageCreatedAt),
        ]
    }
}

extension ProfileRow: Reencoded {
    var json: JSONValue {
        [
            "id": .of(id), "username": .of(username), "display_name": .of(displayName),
        ]
    }
}

extension MessageWithReactionsRow: Reencoded {
    var json: JSONValue {
        message.json.adding(["reactions": reactions.map { .array($0.map(\.json)) } ?? .null])
    }
}

extension NamedMemberRow: Reencoded {
    var json: JSONValue {
        let names: JSONValue? = profile.map {
            ["username": .of($0.username), "display_name": .of($0.displayName)]
        }
        return member.json.adding(["profiles": names ?? .null])
    }
}

extension SessionBody: Reencoded {
    var json: JSONValue {
        [
            "access_token": .of(accessToken), "refresh_token": .of(refreshToken),
            "expires_in": .of(expiresIn), "expires_at": .of(expiresAt), "user": user.json,
        ]
    }
}

extension UserBody: Reencoded {
    var json: JSONValue { ["id": .of(id)] }
}

extension ChangeEvent: Reencoded {
    /// The row under `record`, or what names it under `old_record`.
    var json: JSONValue {
        let told: JSONValue = [
            "table": .of(table), "type": .of(kind.rawValue),
            "errors": errors.isEmpty ? .null : .array(errors.map { .string($0) }),
        ]
        return switch row {
        case .message(let record): told.adding(record.members(of: kind))
        case .reaction(let record): told.adding(record.members(of: kind))
        case .member(let record): told.adding(record.members(of: kind))
        case .conversation(let record): told.adding(record.members(of: kind))
        case .other: told
        }
    }
}

extension ChangedRecord where Row: Reencoded {
    fileprivate func members(of kind: ChangeKind) -> [String: JSONValue] {
        if kind == .delete { return ["old_record": key.json] }
        // Whatever cannot be read is read from the server by its key.
        guard case .success(let row) = row else { return ["record": key.json] }
        return ["record": row.json]
    }
}

extension RowKey: Reencoded {
    var json: JSONValue {
        let parts: [String: JSONValue] = [
            "id": .of(id), "message_id": .of(messageID), "conversation_id": .of(conversationID),
            "user_id": .of(userID), "symbol": .of(symbol),
        ]
        return .object(parts.filter { !$0.value.isNull })
    }
}
