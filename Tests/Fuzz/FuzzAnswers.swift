@testable import Networking
@testable import Server

extension FuzzTarget {
    /// Heads, chunked bodies and dates of HTTP answers.
    static let answers = FuzzTarget(
        "answers",
        words: [
            "HTTP/1.1 200 OK\r\n", "Content-Length: ", "Transfer-Encoding: chunked", "\r\n\r\n", "0\r\n",
            ";ext=1", "ffffffff", "GMT",
        ],
        seeds: {
            [
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 x\r\nRetry-After: 3\r\n",
                "5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\n\r\n",
                "Sun, 06 Nov 1994 08:49:37 GMT", "\0\0\0\0\u{1}\u{2}\u{3}\u{4}", "+5\r\nhello\r\n",
            ].map { Array($0.utf8) }
        },
        check: { input in
            switch input.variant & 3 {
            case 0: head(input.body)
            case 1: chunked(input)
            case 2: rawChunks(input.body)
            default: date(input)
            }
        })

    private static func head(_ bytes: [UInt8]) -> String? {
        var head = HTTPHead()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard line.withUnsafeBytes({ head.take($0) }) else { break }
        }
        guard head.status == 0 || (100...999).contains(head.status) else { return "status \(head.status)" }
        for field in head.headers.fields {
            let ends = [field.value.utf8.first, field.value.utf8.last].compactMap { $0 }
            guard !ends.contains(where: { $0 == 0x20 || $0 == 0x09 }) else { return "a value is not trimmed" }
            guard !field.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
                return "a value has two lines"
            }
            guard head.headers[field.name] != nil else { return "\(field.name) is not found" }
        }
        return nil
    }

    /// A body in chunks is the body, and it is whole only with its last chunk.
    private static func chunked(_ input: FuzzCase) -> String? {
        var coded: [UInt8] = []
        for piece in input.pieces {
            coded += Array(String(piece.count, radix: 16).utf8) + [0x0D, 0x0A] + piece + [0x0D, 0x0A]
        }
        guard !ChunkedBody.isComplete(coded) else { return "whole without its last chunk" }
        guard ChunkedBody.decode(coded) == input.body else { return "the chunks are not the body" }
        let end = coded + Array("0\r\n\r\n".utf8)
        return ChunkedBody.isComplete(end) && ChunkedBody.decode(end) == input.body
            ? nil : "its last chunk is not seen"
    }

    private static func rawChunks(_ bytes: [UInt8]) -> String? {
        let body = ChunkedBody.decode(bytes)
        guard body.count <= bytes.count else { return "more came out than went in" }
        let isSize = bytes.first.map { HexDigits.contains($0) } ?? false
        return isSize || body.isEmpty ? nil : "\(body.count) bytes without a size"
    }

    private static func date(_ input: FuzzCase) -> String? {
        if let seconds = HTTPDate.seconds(input.text), !(0...253_402_300_800).contains(seconds) {
            return "\(input.text) is \(seconds)"
        }
        let number = input.body.prefix(5).reduce(Int64(0)) { $0 << 8 | Int64($1) } % 253_402_300_800
        let text = HTTPDateText.text(number * 1_000_000)
        return HTTPDate.seconds(text) == number ? nil : "\(text) is not \(number)"
    }
}

private enum HexDigits {
    static func contains(_ byte: UInt8) -> Bool { PercentText.hex(byte) != nil }
}
