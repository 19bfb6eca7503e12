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
        case .one: try self.init(object: JSONDocument(text).root)
        case .two: try self.init(array: JSONDocument(text).root)
        }
    }

    init(object node: JSONNode) throws(WireError) {
        guard let members = node.members else { throw .mismatch(path: "") }
        joinRef = try members.optional(FrameKeys.joinRef)
        ref = try members.optional(FrameKeys.ref)
        topic = try members.value(FrameKeys.topic)
        event = try members.value(FrameKeys.event)
        payload = try Self.payload(members["payload"])
    }

    private init(array node: JSONNode) throws(WireError) {
        guard let items = node.elements, items.count >= 5 else { throw .mismatch(path: "") }
        guard let topic = items[2].string, let event = items[3].string,
            items[0].isNull || items[0].string != nil, items[1].isNull || items[1].string != nil
        else { throw .mismatch(path: "") }
        self.init(
            joinRef: items[0].string, ref: items[1].string, topic: topic, event: event,
            payload: try JSONValue(items[4]))
    }

    private static func payload(_ node: JSONNode?) throws(WireError) -> JSONValue {
        guard let node, !node.isNull else { return [:] }
        return try JSONValue(node)
    }

    /// Writes a text frame. A client's frame of version 1 carries `join_ref`, a server's must not.
    package func text(version: RealtimeVersion, fromServer: Bool) throws(WireError) -> String {
        switch version {
        case .one: try WireCoding.text(ObjectFrame(frame: self, withJoinRef: !fromServer))
        case .two: try WireCoding.text(ArrayFrame(frame: self))
        }
    }
}

private enum FrameKeys: String, CodingKey {
    case topic, event, payload, ref
    case joinRef = "join_ref"
}

private struct ObjectFrame: Encodable {
    var frame: RealtimeFrame
    var withJoinRef: Bool

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FrameKeys.self)
        try container.encode(frame.topic, forKey: .topic)
        try container.encode(frame.event, forKey: .event)
        try container.encode(frame.payload, forKey: .payload)
        try container.encode(frame.ref, forKey: .ref)  // null stays as a key: some clients need it there
        if withJoinRef, let joinRef = frame.joinRef { try container.encode(joinRef, forKey: .joinRef) }
    }
}

private struct ArrayFrame: Encodable {
    var frame: RealtimeFrame

    func encode(to encoder: any Encoder) throws {
        var items = encoder.unkeyedContainer()
        try items.encode(frame.joinRef)
        try items.encode(frame.ref)
        try items.encode(frame.topic)
        try items.encode(frame.event)
        try items.encode(frame.payload)
    }
}
