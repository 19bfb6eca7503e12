import FoundationEssentials
import Models
import Sync

/// An account that is open in this screen.
package struct Account: Sendable {
    package let service: any ChatService
    /// What people call it: the server's short name, or `Telegram`. Untrusted text.
    package let label: String
    /// `nil`: this account takes no files.
    package let files: (any FileDoor)?
    /// `nil`: there is nothing to tell of it.
    package let facts: AccountFacts?
    /// Whether what waits to be sent is still there after the end of the program.
    package let isKept: Bool

    package init(
        service: any ChatService, label: String, files: (any FileDoor)? = nil, facts: AccountFacts? = nil,
        isKept: Bool = true
    ) {
        self.service = service
        self.label = label
        self.files = files
        self.facts = facts
        self.isKept = isKept
    }

    package var id: AccountID { service.account }
}

/// Where an account is, for who wants to know. Untrusted texts.
package struct AccountFacts: Hashable, Sendable {
    package var server: String
    package var email: String
    /// The file of certificates that are trusted besides the system's.
    package var caFile: String?

    package init(server: String, email: String, caFile: String? = nil) {
        self.server = server
        self.email = email
        self.caFile = caFile
    }
}

/// What is known of an open account beside its conversations.
@MainActor
package final class AccountEntry {
    package let account: Account
    package let banner: BannerViewModel
    /// The signed-in person; `nil` until the profile came.
    package internal(set) var profile: Person?
    var followers: [Task<Void, Never>] = []

    init(_ account: Account, time: Timekeeper) {
        self.account = account
        banner = BannerViewModel(service: account.service, time: time)
    }

    var id: AccountID { account.id }

    func stop() {
        for task in followers { task.cancel() }
        followers = []
        banner.stop()
    }
}
