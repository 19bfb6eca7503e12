import Glibc
import PrivateFiles

/// Where Pingline keeps things, by the XDG base directory specification.
package struct Directories: Sendable, Equatable {
    /// `config.toml`.
    package let config: String
    /// Accounts: their stores, secrets and spools.
    package let data: String
    /// The log and the locks.
    package let state: String
    /// What can be made again.
    package let cache: String
    /// Sockets. Without `XDG_RUNTIME_DIR` a folder beside the locks, which outlives the session.
    package let runtime: String

    /// Works the places out; makes nothing.
    /// - Parameter environment: `XDG_…_HOME`, `XDG_RUNTIME_DIR` and `HOME`. As the specification wants, a
    ///   path that is not absolute counts as unset.
    /// - Throws: `.homeUnset` when a place would be below a home nobody names.
    package init(environment: [String: String]) throws(DirectoryError) {
        func absolute(_ name: String) -> String? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return path
        }
        func place(_ variable: String, under fallback: String) throws(DirectoryError) -> String {
            if let base = absolute(variable) { return base + "/pingline" }
            guard let home = absolute("HOME") else { throw .homeUnset }
            return "\(home)/\(fallback)/pingline"
        }
        config = try place("XDG_CONFIG_HOME", under: ".config")
        data = try place("XDG_DATA_HOME", under: ".local/share")
        state = try place("XDG_STATE_HOME", under: ".local/state")
        cache = try place("XDG_CACHE_HOME", under: ".cache")
        runtime = absolute("XDG_RUNTIME_DIR").map { $0 + "/pingline" } ?? state + "/run"
    }

    /// All under one folder, for a run that shall leave nothing behind.
    package init(under base: String) {
        self.init(base, config: nil, data: nil)
    }

    /// Of `other` what can be read, the settings and the accounts; everything else under `base`. For a run that
    /// cannot write all of its folders.
    package init(under base: String, reading other: Directories) {
        self.init(
            base, config: Self.isOurs(other.config) ? other.config : nil,
            data: Self.isOurs(other.data) ? other.data : nil)
    }

    private init(_ base: String, config: String?, data: String?) {
        self.config = config ?? base + "/config"
        self.data = data ?? base + "/data"
        state = base + "/state"
        cache = base + "/cache"
        runtime = base + "/run"
    }

    /// What belongs to somebody else is not read either: its owner could swap what is in it.
    private static func isOurs(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid() && access(path, R_OK | X_OK) == 0
    }

    package var settingsFile: String { config + "/config.toml" }

    /// A folder for each account.
    package var accounts: String { data + "/accounts" }

    package func account(_ id: String) -> String { "\(accounts)/\(id)" }

    /// Makes the folders that are missing, 0700, and closes to others what is open to them: the folders, and the
    /// settings file, which may hold keys.
    /// - Returns: The paths whose permissions were repaired, to be told once.
    /// - Throws: `DirectoryError` for the first that cannot be made or is not ours.
    package func prepare() throws(DirectoryError) -> [String] {
        do throws(PrivateFileError) {
            var repaired: [String] = []
            for path in [config, data, state, cache, runtime] where try PrivateFolder.prepare(path) {
                repaired.append(path)
            }
            if try PrivateFile.closeToOthers(settingsFile) { repaired.append(settingsFile) }
            return repaired
        } catch { throw DirectoryError(error) }
    }
}

/// Why there is no place to keep things. The words do not repeat the path; `path` is for who wants to mend it.
package enum DirectoryError: Error, Equatable, Sendable {
    case homeUnset
    /// Something else is there.
    case notAFolder(path: String)
    /// It belongs to another user, who could swap what is in it.
    case notOurs(path: String)
    case notWritable(path: String)
    case diskFull(path: String)
    case failed(path: String, code: Int32)

    init(_ error: PrivateFileError) {
        switch error {
        case .notOurs(let path): self = .notOurs(path: path)
        case .tooLong(let path): self = .failed(path: path, code: EFBIG)
        case .failed(let path, ENOTDIR), .failed(let path, EEXIST): self = .notAFolder(path: path)
        case .failed(let path, EPERM), .failed(let path, EACCES), .failed(let path, EROFS):
            self = .notWritable(path: path)
        case .failed(let path, ENOSPC), .failed(let path, EDQUOT): self = .diskFull(path: path)
        case .failed(let path, let code): self = .failed(path: path, code: code)
        }
    }

    /// The folder it is about; `nil` where there is none to name.
    package var path: String? {
        switch self {
        case .homeUnset: nil
        case .notAFolder(let path), .notOurs(let path), .notWritable(let path), .diskFull(let path): path
        case .failed(let path, _): path
        }
    }

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .homeUnset: "There is no home folder to keep messages in."
        case .notAFolder: "A file is where Pingline's folder should be."
        case .notOurs: "Pingline's folder belongs to another user."
        case .notWritable: "Pingline's folder cannot be made or changed."
        case .diskFull: "The disk is full."
        case .failed: "Pingline's folder cannot be used."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .homeUnset: "Set HOME to your home folder and start again."
        case .notAFolder: "Move the file away and start again."
        case .notOurs: "Start Pingline as that user, or move the folder away."
        case .notWritable: "Check the permissions of your home folder."
        case .diskFull: "Free some space and start again."
        case .failed: "Check the disk; the log has the details."
        }
    }
}
