import FoundationEssentials

extension UUID {
    /// The version 5 UUID of a name (RFC 9562 section 5.5): the same namespace and name always give the same
    /// id.
    package static func v5(namespace: UUID, name: String) -> UUID {
        let space = namespace.uuid
        var input = withUnsafeBytes(of: space) { Array($0) }
        input += Array(name.utf8)
        var bytes = Digest.sha1(input)
        bytes[6] = bytes[6] & 0x0F | 0x50  // version 5
        bytes[8] = bytes[8] & 0x3F | 0x80  // variant of RFC 9562
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// The namespace RFC 9562 appendix C sets aside for URLs.
    package static let urlNamespace = UUID(
        uuid: (
            0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8
        ))
}
