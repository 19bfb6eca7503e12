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

    package init(service: any ChatService, label: String, files: (any FileDoor)? = nil) {
        self.service = service
        self.label = label
        self.files = files
    }

    package var id: AccountID { service.account }
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
