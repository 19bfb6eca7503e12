import SupabaseWire

/// A message of the server, its payload printed already: one payload goes to many channels.
struct OutgoingFrame: Sendable, Equatable {
    var joinRef: String?
    var ref: String?
    var topic: String
    var event: String
    /// A JSON object.
    var payload: String

    /// Version 1 has no `join_ref`, and `ref` as a key in every case; some clients reject a message without it.
    func text(_ version: RealtimeVersion) -> String {
        var writer = JSONText()
        switch version {
        case .one:
            writer.raw("{\"ref\":")
            writer.optional(ref)
            writer.raw(",\"topic\":")
            writer.string(topic)
            writer.raw(",\"event\":")
            writer.string(event)
            writer.raw(",\"payload\":\(payload)}")
        case .two:
            writer.raw("[")
            writer.optional(joinRef)
            writer.raw(",")
            writer.optional(ref)
            writer.raw(",")
            writer.string(topic)
            writer.raw(",")
            writer.string(event)
            writer.raw(",\(payload)]")
        }
        return writer.text
    }

    /// The answer to a client's message.
    static func reply(to frame: RealtimeFrame, ok: Bool, _ response: String = "{}") -> OutgoingFrame {
        OutgoingFrame(
            joinRef: frame.joinRef, ref: frame.ref, topic: frame.topic, event: "phx_reply",
            payload: "{\"status\":\"\(ok ? "ok" : "error")\",\"response\":\(response)}")
    }

    /// A refusal with its reason.
    static func refusal(of frame: RealtimeFrame, _ reason: String) -> OutgoingFrame {
        reply(to: frame, ok: false, JSONValue.object(["reason": .string(reason)]).jsonText)
    }
}
