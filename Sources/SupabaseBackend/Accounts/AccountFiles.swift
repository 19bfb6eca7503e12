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
    }

    func folder(of id: AccountID) -> String { folder + "/" + id.rawValue.text }

    func secrets(of id: AccountID) -> FileSecretStore { FileSecretStore(folder: folder(of: id)) }

    func write(_ account: SupabaseAccount) throws(SecretError) {
        let contents = Contents(kind: SupabaseAccount.kind, account: account)
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

    /// Every readable account of this kind, in the order of their folders' names; one bad file hides no
    /// other.
    func all() -> [SupabaseAccount] {
        // A folder that is not there, or not readable, holds no account of ours.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard let bytes = try? PrivateFile.read(folder + "/" + name + "/account.json"),
                let contents = try? WireCoding.decode(Contents.self, from: bytes),
                contents.version == 1, contents.kind == SupabaseAccount.kind,
                contents.account.id.rawValue.text == name
            else { return nil }
            return contents.account
        }
    }
}
