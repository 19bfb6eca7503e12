/// One message of the Realtime protocol, in either serialization.
///
/// `ref` and `joinRef` are echoed as they came. Version 1 is an object whose server frames have no
/// `join_ref`; version 2 is the array `[join_ref, ref, topic, event, payload]`.
package struct RealtimeFrame: Sendable, Equatable {
    package var joinRef: String?
    package var ref: String?
    package var topic: String
    package var event: String
    package var payload: JSONValue

    package init(
        joinRef: String? = nil, ref: String? = nil, topic: String, event: String, payload: JSONValue = [:]
    ) {
        self.joinRef = joinRef
        self.ref = ref
        self.topic = topic
        self.event = event
        self.payload = payload
    }
}

/// How frames are written; asked for by the `vsn` parameter of the upgrade.
package enum RealtimeVersion: String, Sendable {
    case one = "1.0.0"
    case two = "2.0.0"
}

extension RealtimeFrame {
    /// Reads a text frame of either version.
    package init(text: String, version: RealtimeVersion) throws(WireError) {
        switch version {
        case .one: self = try WireCoding.decode(ObjectFrame.self, from: text).frame
        case .two: self = try WireCoding.decode(ArrayFrame.self, from: text).frame
        }
    }

    /// Writes a text frame. A client's frame of version 1 carries `join_ref`, a server's must not.
    package func text(version: RealtimeVersion, fromServer: Bool) throws(WireError) -> String {
        switch version {
        case .one: try WireCoding.text(ObjectFrame(frame: self, withJoinRef: !fromServer))
        case .two: try WireCoding.text(ArrayFrame(frame: self))
        }
    }
}

private struct ObjectFrame: Codable {
    var frame: RealtimeFrame
    var withJoinRef: Bool

    init(frame: RealtimeFrame, withJoinRef: Bool) {
        self.frame = frame
        self.withJoinRef = withJoinRef
    }

    enum CodingKeys: String, CodingKey {
        case topic, event, payload, ref
        case joinRef = "join_ref"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        frame = RealtimeFrame(
            joinRef: try container.decodeIfPresent(String.self, forKey: .joinRef),
            ref: try container.decodeIfPresent(String.self, forKey: .ref),
            topic: try container.decode(String.self, forKey: .topic),
            event: try container.decode(String.self, forKey: .event),
            payload: try container.decodeIfPresent(JSONValue.self, forKey: .payload) ?? [:])
        withJoinRef = false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frame.topic, forKey: .topic)
        try container.encode(frame.event, forKey: .event)
        try container.encode(frame.payload, forKey: .payload)
        try container.encode(frame.ref, forKey: .ref)  // null stays as a key: some clients need it there
        if withJoinRef, let joinRef = frame.joinRef { try container.encode(joinRef, forKey: .joinRef) }
    }
}

private struct ArrayFrame: Codable {
    var frame: RealtimeFrame

    init(frame: RealtimeFrame) { self.frame = frame }

    init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        let joinRef = try items.decode(String?.self)
        let ref = try items.decode(String?.self)
        frame = RealtimeFrame(
            joinRef: joinRef, ref: ref, topic: try items.decode(String.self),
            event: try items.decode(String.self), payload: try items.decode(JSONValue.self))
    }

    func encode(to encoder: any Encoder) throws {
        var items = encoder.unkeyedContainer()
        try items.encode(frame.joinRef)
        try items.encode(frame.ref)
        try items.encode(frame.topic)
        try items.encode(frame.event)
        try items.encode(frame.payload)
    }
}
