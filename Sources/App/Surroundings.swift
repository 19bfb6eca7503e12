import Diagnostics
import Settings

/// What the program finds around it: variables, places to keep things, the log.
package struct Surroundings: Sendable {
    package let environment: [String: String]
    package let directories: Directories
    package let log: Log

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
