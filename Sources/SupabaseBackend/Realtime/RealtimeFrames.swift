import FoundationEssentials
import Models
import SupabaseWire

/// The frames this client sends, as the wire contract gives them.
enum RealtimeFrames {
    static func inboxTopic(_ userID: UUID) -> String { "realtime:pl:" + userID.text }
    static func topic(_ conversationID: UUID) -> String { "realtime:conversation:" + conversationID.text }

    static func heartbeat(_ ref: String) -> RealtimeFrame {
        RealtimeFrame(ref: ref, topic: "phoenix", event: "heartbeat")
    }

    static func join(
        _ kind: RealtimeChannel.Kind, topic: String, ref: String, token: String, userID: UUID
    ) -> RealtimeFrame {
        let config: JSONValue =
            switch kind {
            case .inbox:
                [
                    "broadcast": quiet, "presence": ["key": "", "enabled": false], "private": false,
                    "postgres_changes": [
                        binding("messages"), binding("reactions"), binding("conversation_members"),
                        binding("conversations", event: "UPDATE"),
                    ],
                ]
            case .conversation:
                [
                    "broadcast": quiet, "presence": ["key": .string(userID.text), "enabled": true],
                    "private": true, "postgres_changes": [],
                ]
            }
        return RealtimeFrame(
            joinRef: ref, ref: ref, topic: topic, event: "phx_join",
            payload: ["config": config, "access_token": .string(token)])
    }

    static func leave(topic: String, ref: String, joinRef: String) -> RealtimeFrame {
        RealtimeFrame(joinRef: joinRef, ref: ref, topic: topic, event: "phx_leave")
    }

    static func accessToken(_ token: String, topic: String, ref: String, joinRef: String) -> RealtimeFrame {
        RealtimeFrame(
            joinRef: joinRef, ref: ref, topic: topic, event: "access_token",
            payload: ["access_token": .string(token)])
    }

    static func track(topic: String, ref: String, joinRef: String) -> RealtimeFrame {
        RealtimeFrame(
            joinRef: joinRef, ref: ref, topic: topic, event: "presence",
            payload: ["type": "presence", "event": "track", "payload": ["state": "online"]])
    }

    static func typing(
        _ isTyping: Bool, by userID: UUID, topic: String, ref: String, joinRef: String
    ) -> RealtimeFrame {
        RealtimeFrame(
            joinRef: joinRef, ref: ref, topic: topic, event: "broadcast",
            payload: [
                "type": "broadcast", "event": "typing",
                "payload": ["user_id": .string(userID.text), "on": .bool(isTyping)],
            ])
    }

    private static let quiet: JSONValue = ["ack": false, "self": false]

    private static func binding(_ table: String, event: String = "*") -> JSONValue {
        ["event": .string(event), "schema": "public", "table": .string(table)]
    }
}
