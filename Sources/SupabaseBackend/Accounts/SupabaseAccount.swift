import Digest
import FoundationEssentials
import Models

/// An account as it is kept: where it is and whose, without anything secret.
package struct SupabaseAccount: Codable, Hashable, Sendable {
    /// The kind that is part of the account's id and stands in its file.
    package static let kind = "supabase"

    /// As `ServerAddress` spells it.
    package var baseURL: String
    /// The project's publishable key; it names the project and is no secret.
    package var key: String
    package var userID: UUID
    package var email: String
    /// Whether the owner allowed an unencrypted connection to another machine.
    package var allowsPlainHTTP: Bool

    package init(baseURL: String, key: String, userID: UUID, email: String, allowsPlainHTTP: Bool = false) {
        self.baseURL = baseURL
        self.key = key
        self.userID = userID
        self.email = email
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// The same for the same person at the same server, however often they sign in.
    package var id: AccountID {
        AccountID(rawValue: .v5(namespace: .urlNamespace, name: "\(Self.kind) \(baseURL) \(userID.text)"))
    }

    enum CodingKeys: String, CodingKey {
        case key, email
        case baseURL = "base_url"
        case userID = "user_id"
        case allowsPlainHTTP = "allows_plain_http"
    }
}
