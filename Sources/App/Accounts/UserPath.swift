import Attachments
import FoundationEssentials

/// Paths as people write them, from the root on.
enum UserPath {
    /// The folder that the program was started in.
    static var present: String { FileManager.default.currentDirectoryPath }

    /// Reads `~`, quotes and backslashes as any other path that is typed here.
    /// - Parameter folder: Where a path begins that does not begin at the root.
    static func absolute(_ text: String, in folder: String, home: String?) -> String {
        let path = PathText.read(text).expanded(home: home).text
        guard !path.hasPrefix("/") else { return path }
        return URL(filePath: folder + "/" + path).standardized.path
    }
}
