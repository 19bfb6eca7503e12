import FoundationEssentials

/// The columns of `profiles` that Pingline reads.
package struct ProfileRow: Decodable, Hashable, Sendable {
    package var id: UUID
    package var username: String
    package var displayName: String

    enum CodingKeys: String, CodingKey {
        case id, username
        case displayName = "display_name"
    }
}
