import Digest
import FoundationEssentials
import Testing

struct DigestTests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func sha1GivesTheStandardsExamples(text: String, digest: String) {
        #expect(Hex.encode(Digest.sha1(Array(text.utf8))) == digest)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func sha256GivesTheStandardsExamples(text: String, digest: String) {
        #expect(Hex.encode(Digest.sha256(text)) == digest)
        #expect(Digest.sha256(Data(text.utf8)) == Digest.sha256(text))
    }

    @Test func aDigestInPartsIsTheDigestOfTheWhole() {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let stream = SHA256Stream()
        for start in stride(from: 0, to: bytes.count, by: 777) {
            stream.update(Array(bytes[start..<min(start + 777, bytes.count)]))
        }
        stream.update([UInt8]())

        #expect(stream.finish() == Digest.sha256(bytes))
    }

    @Test func anUnfinishedDigestMayBeGivenUp() {
        for _ in 0..<1_000 { SHA256Stream().update([1, 2, 3]) }
    }
}

struct UUIDv5Tests {
    @Test func theExampleOfTheStandardComesOut() {
        let space = UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")  // names of hosts

        #expect(
            space.map { UUID.v5(namespace: $0, name: "www.example.com") }
                == UUID(uuidString: "2ed6657d-e927-568b-95e1-2665a8aea6a2"))
    }

    @Test func aNameHasOneIdPerNamespace() {
        let one = UUID.v5(namespace: .urlNamespace, name: "https://example.org/ü")

        #expect(one == UUID.v5(namespace: .urlNamespace, name: "https://example.org/ü"))
        #expect(one != UUID.v5(namespace: .urlNamespace, name: "https://example.org/u"))
        #expect(one != UUID.v5(namespace: one, name: "https://example.org/ü"))
        #expect(UUID.urlNamespace.uuidString == "6BA7B811-9DAD-11D1-80B4-00C04FD430C8")
    }
}

struct EncodingTests {
    @Test(
        arguments: [
            ([], ""), ([0xFB], "-w"), ([0xFF, 0xEF], "_-8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
        ] as [([UInt8], String)])
    func base64URLGoesBothWays(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    @Test(arguments: ["a", "Zm9v=", "Zm9+", "Zm/v", "Zm9v YQ", "Zm9vä"])
    func whatIsNoBase64URLIsRefused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func hexGoesBothWays() {
        #expect(Hex.encode([0, 15, 16, 255] as [UInt8]) == "000f10ff")
        #expect(Hex.decode("000F10fF") == [0, 15, 16, 255])
        #expect(Hex.decode("") == [])
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0g") == nil)
        #expect(Hex.decode("+1") == nil)
    }
}
