/// A row of a table, with the list of its columns: a change event that lacks one of them says "unchanged",
/// which a reader must be able to tell from null.
package protocol TableRow: WireObject {
    associatedtype CodingKeys: CodingKey & CaseIterable & Sendable
}

/// A member's role as the wire names it; unknown ones survive.
package struct MemberRole: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let owner = MemberRole(rawValue: "owner")
    package static let admin = MemberRole(rawValue: "admin")
    package static let member = MemberRole(rawValue: "member")
}

extension MemberRole: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let role = node.string else { return nil }
        self.init(rawValue: role)
    }
}
