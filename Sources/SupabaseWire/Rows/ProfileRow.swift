import FoundationEssentials

/// The columns of `profiles` that Pingline reads.
package struct ProfileRow: WireObject, Hashable {
    package var id: UUID
    package var username: String
    package var displayName: String

    enum CodingKeys: String, CodingKey {
        case id, username
        case displayName = "display_name"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
        username = try members.value(CodingKeys.username)
        displayName = try members.value(CodingKeys.displayName)
    }
}
