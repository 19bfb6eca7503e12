import SupabaseWire
import WireFixtures

@testable import Server

extension FuzzTarget {
    /// Frames of the Realtime protocol, of both versions and of bytes: written and read again they are the same.
    static let realtime = FuzzTarget(
        "realtime",
        words: [
            #""join_ref""#, #""topic""#, #""event""#, #""payload""#, #""ref""#, "postgres_changes",
            #""data""#,
            #""record""#, #""old_record""#, #"\ud83d"#, #"\u0000"#, "1e400", "-0", "9223372036854775808",
            "null",
        ],
        workPerByte: 20_000,
        seeds: {
            WireFixture.all.filter { $0.name.hasPrefix("realtime/") }.map(\.bytes)
                + [Array(#"["1","2","t","e",{"a":[1,2.5,-0,1e400,"\ud83d\ude00\ud83d"]}]"#.utf8)]
        },
        check: { input in
            switch input.variant & 3 {
            case 0: text(input.text, .one)
            case 1: text(input.text, .two)
            case 2: push(input.body)
            default: incoming(input.text)
            }
        })

    private static func text(_ text: String, _ version: RealtimeVersion) -> String? {
        guard let frame = try? RealtimeFrame(text: text, version: version) else { return nil }
        for isFromServer in [false, true] {
            guard let written = try? frame.text(version: version, fromServer: isFromServer) else {
                return "what was read cannot be written"
            }
            var expected = frame
            if version == .one, isFromServer { expected.joinRef = nil }
            guard let again = try? RealtimeFrame(text: written, version: version) else {
                return "\(written) is not read"
            }
            guard again == expected else { return "\(frame) became \(again)" }
        }
        return nil
    }

    private static func incoming(_ text: String) -> String? {
        let frame = try? RealtimeFrame(text: text, version: .one)
        guard let read = try? IncomingFrame(text: text) else {
            return frame == nil ? nil : "a frame is refused"
        }
        switch read {
        case .frame(let other): return other == frame ? nil : "\(other) is not \(String(describing: frame))"
        case .change(let topic, let change):
            // A change is taken apart without looking at what nobody asks for.
            guard let frame else { return nil }
            guard frame.topic == topic else { return "the topic is \(topic)" }
            return frame.payload["data"]?["table"] == .string(change.table)
                ? nil : "the table is \(change.table)"
        case .unreadableChange(let topic):
            return frame == nil || frame?.topic == topic ? nil : "the topic is \(topic)"
        }
    }

    private static func push(_ bytes: [UInt8]) -> String? {
        guard let push = BinaryBroadcast(push: bytes) else { return nil }
        let texts = [push.joinRef ?? "", push.ref ?? "", push.topic, push.event, push.meta].map {
            Array($0.utf8)
        }
        let again =
            [3] + texts.map { UInt8($0.count) } + [push.encoding.rawValue] + texts.joined() + push.payload
        guard again == bytes else { return "a push is not what it was" }
        let delivered = push.delivered
        let lengths = texts[2...].map(\.count)
        guard delivered.count == 5 + lengths.reduce(0, +) + push.payload.count, delivered[0] == 4,
            delivered[1...3].map(Int.init) == lengths, delivered[4] == push.encoding.rawValue,
            delivered[5...].elementsEqual(Array(texts[2...].joined()) + push.payload)
        else { return "what is delivered is not what was pushed" }
        guard let text = push.textPayload else { return nil }
        guard let value = try? WireCoding.decode(JSONValue.self, from: text) else {
            return "\(text) is no JSON"
        }
        return value["event"] == .string(push.event) ? nil : "the event became \(value)"
    }
}
