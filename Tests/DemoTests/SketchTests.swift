import Digest
import Testing

@testable import Demo

@Suite struct SketchTests {
    @Test func thePictureIsAPNGOfItsSize() {
        let head = Array(Sketch.bytes.prefix(24))
        #expect(head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(head[16...] == [0, 0, 0, UInt8(Sketch.width), 0, 0, 0, UInt8(Sketch.height)])
        #expect(Sketch.bytes.suffix(4) == [0xAE, 0x42, 0x60, 0x82])  // the checksum every IEND has
    }

    @Test func itsDigestIsTheOneThatIsStated() {
        #expect(Hex.encode(Digest.sha256(Sketch.bytes)) == Sketch.sha256)
    }
}
