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

    /// - Parameter now: Microseconds since 1970; kept from the first time on.
    func write(_ account: SupabaseAccount, at now: Int64) throws(SecretError) {
        let before = kept(named: account.id.rawValue.text)?.addedAt
        let contents = Contents(
            kind: SupabaseAccount.kind, account: account, addedAt: before ?? now)
        let bytes: Data
        do throws(WireError) { bytes = try WireCoding.encode(contents) } catch { throw .failed(code: EINVAL) }
        do throws(PrivateFileError) {
            for path in [folder, folder(of: account.id)] { _ = try PrivateFolder.prepare(path) }
            try PrivateFile.replace(folder(of: account.id) + "/account.json", with: bytes)
        } catch { throw SecretError(writing: error) }
    }

    /// Takes the account off the list. What else is in its folder stays, for a later sign-in as the same person.
    func forget(_ id: AccountID) {
        unlink(folder(of: id) + "/account.json")  // one that is not there is forgotten already
    }

    /// Every readable account of this kind, in the order of signing in first; one bad file hides no other.
    func all() -> [SupabaseAccount] {
        // A folder that is not there, or not readable, holds no account of ours.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { kept(named: $0) }
            .sorted {
                ($0.addedAt ?? 0, $0.account.id.rawValue.text) < (
                    $1.addedAt ?? 0, $1.account.id.rawValue.text
                )
            }
            .map(\.account)
    }

    /// The account as it is kept; `nil` when it is not.
    func kept(_ id: AccountID) -> SupabaseAccount? { kept(named: id.rawValue.text)?.account }

    private func kept(named name: String) -> Contents? {
        guard let bytes = try? PrivateFile.read(folder + "/" + name + "/account.json"),
            let contents = try? WireCoding.decode(Contents.self, from: bytes),
            contents.version == 1, contents.kind == SupabaseAccount.kind,
            contents.account.id.rawValue.text == name
        else { return nil }
        return contents
    }
}
