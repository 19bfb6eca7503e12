import SupabaseWire

/// What `GET /health` answers: counters for whoever runs the server.
package struct ServerHealth: Sendable, Equatable {
    package var version: String
    /// Open WebSocket connections.
    package var sockets = 0
    /// Joined channels of all sockets.
    package var channels = 0
    /// Rows by table, accounts and sessions included.
    package var rows: [String: Int] = [:]
    /// Bytes that wait for slow readers, of all sockets.
    package var queue = 0
    /// Bytes that the files of all objects take on the disk.
    package var fileBytes: Int64 = 0

    /// What a client presents as `apikey`; public, so that a Pingline needs only the address to sign in here.
    package var publishableKey: String?

    package init(version: String) { self.version = version }

    /// The JSON object of the answer.
    package var jsonText: String {
        var value: [String: JSONValue] = [
            "version": .string(version), "sockets": .integer(Int64(sockets)),
            "channels": .integer(Int64(channels)), "queue": .integer(Int64(queue)),
            "file_bytes": .integer(fileBytes),
            "rows": .object(rows.mapValues { .integer(Int64($0)) }),
        ]
        if let publishableKey { value["publishable_key"] = .string(publishableKey) }
        return JSONValue.object(value).jsonText
    }
}
