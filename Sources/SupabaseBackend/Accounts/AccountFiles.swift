import FoundationEssentials
import Glibc
import Models
import PrivateFiles
import Secrets
import SupabaseWire

/// The accounts on the disk.
struct AccountFiles: Sendable {
    let folder: String

    private struct Contents: Codable {
        var version = 1
        var kind: String
        var account: SupabaseAccount
        /// When it was kept for the first time, in microseconds since 1970.
        var addedAt: Int64?

        enum CodingKeys: String, CodingKey {
            case version, kind, account
            case addedAt = "added_at"
        }
    }

    func folder(of id: AccountID) -> String { folder + "/" + id.rawValue.text }

    func secrets(of id: AccountID) -> FileSecretStore { FileSecretStore(folder: folder(of: id)) }

    /// A file in the account's place that cannot be read is set aside first.
    /// - Parameter now: Microseconds since 1970; kept from the first time on.
    /// - Throws: `.tooNew` for an account that a later version wrote: it is left as it is.
    func write(_ account: SupabaseAccount, at now: Int64) throws(SecretError) {
        let name = account.id.rawValue.text
        if case .trouble(let trouble) = look(at: name) {
            guard trouble != .tooNew else { throw .tooNew }
            _ = PrivateFile.setAside(path(of: name))  // what cannot be moved is not to be read either
        }
        let before = kept(named: name)?.addedAt
        let contents = Contents(
            kind: SupabaseAccount.kind, account: account, addedAt: before ?? now)
        let bytes: Data
        do throws(WireError) { bytes = try WireCoding.encode(contents) } catch { throw .failed(code: EINVAL) }
        do throws(PrivateFileError) {
            for path in [folder, folder(of: account.id)] { _ = try PrivateFolder.prepare(path) }
            try PrivateFile.replace(path(of: name), with: bytes)
        } catch { throw SecretError(writing: error) }
    }

    /// Takes the account off the list. What else is in its folder stays, for a later sign-in as the same person.
    func forget(_ id: AccountID) {
        unlink(path(of: id.rawValue.text))  // one that is not there is forgotten already
    }

    /// Every readable account of this kind, in the order of signing in first; one bad file hides no other.
    func all() -> [SupabaseAccount] {
        names.compactMap { kept(named: $0) }
            .sorted {
                ($0.addedAt ?? 0, $0.account.id.rawValue.text) < (
                    $1.addedAt ?? 0, $1.account.id.rawValue.text
                )
            }
            .map(\.account)
    }

    /// The account as it is kept; `nil` when it is not.
    func kept(_ id: AccountID) -> SupabaseAccount? { kept(named: id.rawValue.text)?.account }

    /// What is wrong with accounts that are not among `all`, in the order of their folders. Damaged files are set
    /// aside on the way, so each is told once.
    func troubles() -> [AccountFileTrouble] {
        names.sorted().compactMap { name in
            guard case .trouble(let trouble) = look(at: name) else { return nil }
            if trouble == .damaged { _ = PrivateFile.setAside(path(of: name)) }  // else it is told again
            return trouble
        }
    }

    // MARK: Reading

    private enum Look {
        case kept(Contents)
        /// No account, or one of another kind.
        case nothing
        case trouble(AccountFileTrouble)
    }

    private struct Header: Decodable {
        var version: Int
        var kind: String
    }

    /// A folder that is not there, or not readable, holds no account of ours.
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func path(of name: String) -> String { folder + "/" + name + "/account.json" }

    private func kept(named name: String) -> Contents? {
        if case .kept(let contents) = look(at: name) { contents } else { nil }
    }

    private func look(at name: String) -> Look {
        let bytes: Data
        do throws(PrivateFileError) {
            guard let found = try PrivateFile.read(path(of: name)) else { return .nothing }
            bytes = found
        } catch {
            if case .failed(_, ENOTDIR) = error { return .nothing }  // a file among the folders
            return .trouble(.unreadable)
        }
        // What has no head of ours, and what has one and no more, is damaged alike.
        guard let header = try? WireCoding.decode(Header.self, from: bytes) else { return .trouble(.damaged) }
        guard header.kind == SupabaseAccount.kind else { return .nothing }
        guard header.version <= 1 else { return .trouble(.tooNew) }
        guard let contents = try? WireCoding.decode(Contents.self, from: bytes) else {
            return .trouble(.damaged)
        }
        return contents.account.id.rawValue.text == name ? .kept(contents) : .nothing
    }
}

/// Why a kept account is not on the list.
package enum AccountFileTrouble: Sendable, Hashable {
    /// It is no account any more; it was set aside.
    case damaged
    /// Written by a later version of this program.
    case tooNew
    case unreadable

    package var userCopy: UserCopy {
        switch self {
        case .damaged:
            UserCopy(
                "The file of a kept account is damaged and was set aside.",
                next: "Sign in again; its messages are still here.")
        case .tooNew: UserCopy("A kept account is from a later version.", next: "Update Pingline.")
        case .unreadable:
            UserCopy("A kept account cannot be read.", next: "Check the permissions of Pingline's folder.")
        }
    }
}
