import SupabaseWire

/// The binary broadcasts of version 2: a client's push (kind 3) and what receivers get of it (kind 4).
struct BinaryBroadcast: Sendable, Equatable {
    enum Encoding: UInt8, Sendable { case raw = 0, json = 1 }

    private static let push: UInt8 = 3
    private static let delivery: UInt8 = 4

    var joinRef: String?
    /// `nil` when no answer is wanted.
    var ref: String?
    var topic: String
    var event: String
    /// JSON, may be empty.
    var meta: String
    var encoding: Encoding
    var payload: [UInt8]

    /// Bytes from outside of any socket.
    /// - Returns: `nil` when a name is too long for its one byte of length.
    init?(raw payload: [UInt8], topic: String, event: String) {
        guard topic.utf8.count <= 255, event.utf8.count <= 255 else { return nil }
        self.topic = topic
        self.event = event
        self.payload = payload
        meta = "{}"
        encoding = .raw
    }

    /// Reads a push: kind, five lengths of one byte each, the encoding, the five texts, the payload.
    /// - Returns: `nil` for another kind, or lengths that do not fit.
    init?(push bytes: [UInt8]) {
        guard bytes.count >= 7, bytes[0] == Self.push, let encoding = Encoding(rawValue: bytes[6]) else {
            return nil
        }
        var texts: [String] = []
        var index = 7
        for length in bytes[1...5].map(Int.init) {
            guard index + length <= bytes.count,
                let text = String(validating: bytes[index..<index + length], as: UTF8.self)
            else { return nil }
            texts.append(text)
            index += length
        }
        joinRef = texts[0].isEmpty ? nil : texts[0]
        ref = texts[1].isEmpty ? nil : texts[1]
        topic = texts[2]
        event = texts[3]
        meta = texts[4]
        self.encoding = encoding
        payload = Array(bytes[index...])
    }

    /// The frame for receivers of version 2. The push had the same texts, so their lengths fit into a byte.
    var delivered: [UInt8] {
        let texts = [topic, event, meta].map { Array($0.utf8) }
        return [Self.delivery] + texts.map { UInt8(truncatingIfNeeded: $0.count) } + [encoding.rawValue]
            + texts.joined() + payload
    }

    /// The text payload for receivers of version 1; `nil` for bytes that are no JSON.
    var textPayload: String? {
        guard encoding == .json, let text = String(validating: payload, as: UTF8.self) else { return nil }
        // Whatever is no JSON cannot stand in a text frame.
        guard let value = try? WireCoding.decode(JSONValue.self, from: text) else { return nil }
        return JSONValue.object(["type": "broadcast", "event": .string(event), "payload": value]).jsonText
    }
}
