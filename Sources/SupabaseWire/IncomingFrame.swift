/// A frame from a server of version 1, with the rows of a change read in one pass.
package enum IncomingFrame: Sendable {
    case change(topic: String, ChangeEvent)
    /// A change whose table, type or record cannot be read: something happened, unknown what.
    case unreadableChange(topic: String)
    case frame(RealtimeFrame)

    /// - Throws: `WireError` when the text is no frame at all.
    package init(text: String) throws(WireError) {
        let head = try WireCoding.decode(Head.self, from: text)
        guard head.event == "postgres_changes" else {
            self = .frame(try RealtimeFrame(text: text, version: .one))
            return
        }
        do throws(WireError) {
            let change = try WireCoding.decode(Change.self, from: text)
            self = .change(topic: head.topic, change.payload.data)
        } catch {
            self = .unreadableChange(topic: head.topic)
        }
    }

    private struct Head: Decodable {
        var topic: String
        var event: String
    }

    private struct Change: Decodable {
        var payload: Payload

        struct Payload: Decodable {
            var data: ChangeEvent
        }
    }
}
