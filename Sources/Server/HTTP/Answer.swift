/// What a request is answered with.
struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON text as the body.
    static func json(
        _ status: Int, _ text: String, headers: [(name: String, value: String)] = []
    ) -> Answer {
        let type = (name: "Content-Type", value: "application/json; charset=utf-8")
        return Answer(status, headers: [type] + headers, body: Array(text.utf8))
    }
}

/// How an exchange ends.
enum Ending: Sendable {
    case answer(Answer)
    /// The answer's body is part of a file; its own bytes are not sent.
    case file(Answer, FileSlice)
    /// The connection becomes a WebSocket; `accept` is the handshake's proof, and `take` gets the socket.
    case upgrade(accept: String, take: @Sendable (UpgradedSocket) -> Void)
}
