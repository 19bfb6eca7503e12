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
    /// What its owner calls it; `nil` leaves that to the settings and the server's name.
    package var label: String?
    /// The absolute path of a file of PEM certificates to trust besides the system's.
    package var caFile: String?
    /// Whether the owner said at the sign-in, and not in the settings, that bytes may leave this machine readable.
    package var acceptsPlainHTTP: Bool?

    package init(
        baseURL: String, key: String, userID: UUID, email: String, allowsPlainHTTP: Bool = false,
        label: String? = nil, caFile: String? = nil, acceptsPlainHTTP: Bool? = nil
    ) {
        self.baseURL = baseURL
        self.key = key
        self.userID = userID
        self.email = email
        self.allowsPlainHTTP = allowsPlainHTTP
        self.label = label
        self.caFile = caFile
        self.acceptsPlainHTTP = acceptsPlainHTTP
    }

    /// The same for the same person at the same server, however often they sign in.
    package var id: AccountID {
        AccountID(rawValue: .v5(namespace: .urlNamespace, name: "\(Self.kind) \(baseURL) \(userID.text)"))
    }

    enum CodingKeys: String, CodingKey {
        case key, email, label
        case baseURL = "base_url"
        case userID = "user_id"
        case allowsPlainHTTP = "allows_plain_http"
        case caFile = "ca_file"
        case acceptsPlainHTTP = "accepts_plain_http"
    }
}
