import Testing

@testable import Server

@Suite struct MultipartReaderTests {
    private static let form =
        "preamble\r\n--b \r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n"
        + "--b\r\ncontent-disposition: form-data; name=\"\"; filename=\"q\\\"; x.png\"\r\n"
        + "content-type: image/png\r\n\r\n\r\n--\r\n--x\r\r\n\r\n--b--\r\nepilogue"

    private func read(_ text: String, pieces: Int) throws(StorageFault) -> [(head: PartHead, body: String)] {
        var reader = MultipartReader(contentType: "multipart/form-data; charset=x; boundary=\"b\"")
        var heads: [PartHead] = []
        var bodies: [[UInt8]] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try reader?.take(Array(bytes[start..<min(start + pieces, bytes.count)])) { event in
                switch event {
                case .began(let head):
                    heads.append(head)
                    bodies.append([])
                case .bytes(let content): bodies[bodies.count - 1] += content
                }
            }
        }
        #expect(reader?.isComplete == true)
        return zip(heads, bodies).map { ($0, String(decoding: $1, as: UTF8.self)) }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 1_000]) func piecesOfAnySizeGiveTheSameParts(_ size: Int) throws {
        let parts = try read(Self.form, pieces: size)
        #expect(parts.map(\.body) == ["one", "\r\n--\r\n--x\r\r\n"])
        #expect(parts.map(\.head.name) == ["a", ""])
        #expect(parts.map(\.head.fileName) == [nil, "q\"; x.png"])
        #expect(parts.last?.head.contentType == "image/png")
    }

    @Test func aPartMayBeEmptyAndWithoutHeaders() throws {
        let parts = try read("--b\r\n\r\n\r\n--b\r\nX: y\r\n\r\n\r\n--b--", pieces: 4)
        #expect(parts.map(\.body) == ["", ""])
    }

    @Test func whatIsNoFormIsRefused() {
        #expect(MultipartReader(contentType: "multipart/form-data") == nil)
        #expect(MultipartReader(contentType: "image/png; boundary=b") == nil)
        #expect(throws: StorageFault.self) { try read("--bad\r\n\r\n", pieces: 100) }
        let endless = "--b\r\nX: " + String(repeating: "y", count: 20_000)
        #expect(throws: StorageFault.self) { try read(endless, pieces: 4_096) }
    }
}
