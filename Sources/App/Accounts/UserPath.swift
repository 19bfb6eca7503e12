import FoundationEssentials

/// Paths as people write them.
enum UserPath {
    /// The folder that the program was started in.
    static var present: String { FileManager.default.currentDirectoryPath }

    /// With `~`, and in the quotes that a terminal puts around a file dropped onto it.
    static func expanded(_ text: String, home: String?) -> String {
        var path = text
        if let quote = path.first, quote == "'" || quote == "\"", path.count > 1, path.last == quote {
            path = String(path.dropFirst().dropLast())
        }
        guard path == "~" || path.hasPrefix("~/"), let home, !home.isEmpty else { return path }
        return home + path.dropFirst()
    }

    /// The same, and from the root on.
    /// - Parameter folder: Where a path begins that does not begin at the root.
    static func absolute(_ text: String, in folder: String, home: String?) -> String {
        let path = expanded(text, home: home)
        guard !path.hasPrefix("/") else { return path }
        return URL(filePath: folder + "/" + path).standardized.path
    }
}
