import FoundationEssentials
import Glibc

/// Where a running demo keeps its people's sessions; one folder a process.
enum DemoFolder {
    private static let prefix = "demo-"

    /// Names this process's folder and removes those of processes that were killed.
    static func make(in runtime: String) -> String {
        // A folder that cannot be listed or removed holds tokens of servers that are gone.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: runtime)) ?? []
        for name in names where isLeftBehind(name) {
            try? FileManager.default.removeItem(atPath: runtime + "/" + name)  // see above
        }
        return "\(runtime)/\(prefix)\(getpid())"
    }

    private static func isLeftBehind(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count)), process > 0 else {
            return false
        }
        return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
    }
}
