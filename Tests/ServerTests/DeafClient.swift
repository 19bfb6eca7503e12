import Glibc

@testable import Server

/// A client that upgrades, joins one topic, and never reads again.
final class DeafClient {
    struct Failed: Error {}

    private let descriptor: Int32

    init(_ server: TestServer, joining topic: String) throws {
        let port = UInt16(server.address.baseURL.split(separator: ":").last ?? "") ?? 0
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var small: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard connected == 0 else { throw Failed() }
        let request =
            "GET /realtime/v1/websocket?apikey=\(server.address.publishableKey)&vsn=1.0.0 HTTP/1.1\r\n"
            + "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        try send(Array(request.utf8))
        let join = #"{"topic":"\#(topic)","event":"phx_join","payload":{},"ref":"1","join_ref":"1"}"#
        let text = Array(join.utf8)
        // A masked text frame; a mask of zeros leaves the text as it is.
        try send([0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0] + text)
    }

    func close() { _ = Glibc.close(descriptor) }

    private func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failed()
        }
    }
}
