import Diagnostics
import FoundationEssentials
import Glibc
import Settings

extension KnownServers {
    /// With paths as they are meant in these surroundings.
    init(_ settings: Settings, around surroundings: Surroundings) {
        self.init(
            settings, in: surroundings.directories.config, home: surroundings.environment["HOME"])
    }
}

/// What the program finds around it: variables, places to keep things, the log.
package struct Surroundings: Sendable {
    package let environment: [String: String]
    package let directories: Directories
    /// Whether accounts are still there after the end of the program.
    package let keepsAccounts: Bool
    package let log: Log

    private init(environment: [String: String], directories: Directories, keepsAccounts: Bool) {
        self.environment = environment
        self.directories = directories
        self.keepsAccounts = keepsAccounts
        log = .silent
    }

    /// Everything under one private folder, for a run that keeps nothing.
    /// - Parameter isReading: Whether settings and accounts that are there are read all the same, and, where that
    ///   is possible, written.
    /// - Returns: Also the folder, for the caller to remove; `nil` when there is no room for one either.
    static func passing(_ environment: [String: String], isReading: Bool = false)
        -> (Surroundings, folder: String)?
    {
        let base = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/pingline-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let own = Directories(under: folder)
        do throws(DirectoryError) { _ = try own.prepare() } catch {
            // Freshly made and ours, so it is full or already gone; whoever asked says what the first trouble was.
            try? FileManager.default.removeItem(atPath: folder)  // what cannot be removed stays private
            return nil
        }
        var kept: Directories?
        do throws(DirectoryError) {
            if isReading { kept = try Directories(environment: environment) }
        } catch { kept = nil }  // without a home there is nothing to read
        let directories = kept.map { Directories(under: folder, reading: $0) } ?? own
        let passing = Surroundings(
            environment: environment, directories: directories, keepsAccounts: directories.data != own.data)
        return (passing, folder)
    }

    /// Makes the folders that are missing, private to their owner, and opens the log.
    package init(environment: [String: String]) throws(DirectoryError) {
        self.environment = environment
        keepsAccounts = true
        directories = try Directories(environment: environment)
        let repaired = try directories.prepare()
        // Without a log the program still works; there is no better place to tell.
        log = (try? LogFile(directory: directories.state)).map { Log(to: $0) } ?? .silent
        if !repaired.isEmpty { log.warning("closed folders to others", ["count": .count(repaired.count)]) }
    }
}
