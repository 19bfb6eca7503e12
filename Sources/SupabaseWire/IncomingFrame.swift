/// A frame from a server of version 1, with the rows of a change read in one pass.
package enum IncomingFrame: Sendable {
    case change(topic: String, ChangeEvent)
    /// A change whose table, type or record cannot be read: something happened, unknown what.
    case unreadableChange(topic: String)
    case frame(RealtimeFrame)

    /// - Throws: `WireError` when the text is no frame at all.
    package init(text: String) throws(WireError) {
        let root = try JSONDocument(text).root
        guard root["event"]?.string == "postgres_changes" else {
            self = .frame(try RealtimeFrame(object: root))
            return
        }
        guard let topic = root["topic"]?.string else { throw .missing(key: "topic") }
        do throws(WireError) {
            guard let data = root["payload"]?["data"]?.members else { throw .missing(key: "data") }
            self = .change(topic: topic, try ChangeEvent(data))
        } catch {
            self = .unreadableChange(topic: topic)
        }
    }
}
