import Diagnostics
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
    package let log: Log

    private init(environment: [String: String], directories: Directories, log: Log) {
        self.environment = environment
        self.directories = directories
        self.log = log
    }

    /// Everything under one private folder, for a run that keeps nothing.
    /// - Returns: Also the folder, for the caller to remove; `nil` when there is no room for one either.
    static func passing(_ environment: [String: String]) -> (Surroundings, folder: String)? {
        let base = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/pingline-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directories = Directories(under: folder)
        // Freshly made and ours: there is nothing to repair or to refuse.
        guard (try? directories.prepare()) != nil else { return nil }
        return (Surroundings(environment: environment, directories: directories, log: .silent), folder)
    }

    /// Makes the folders that are missing, private to their owner, and opens the log.
    package init(environment: [String: String]) throws(DirectoryError) {
        self.environment = environment
        directories = try Directories(environment: environment)
        let repaired = try directories.prepare()
        // Without a log the program still works; there is no better place to tell.
        log = (try? LogFile(directory: directories.state)).map { Log(to: $0) } ?? .silent
        if !repaired.isEmpty { log.warning("closed folders to others", ["count": .count(repaired.count)]) }
    }
}
