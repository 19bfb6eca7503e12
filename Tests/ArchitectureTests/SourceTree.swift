import FoundationEssentials
import Synchronization

/// One file of the repository, by its path from the root.
struct SourceFile: Sendable {
    let path: String
    let text: String
    /// The lines as they are.
    let lines: [String]
    let code: SwiftCode
    /// The lines without comments and strings.
    let codeLines: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = SwiftCode(text)
        codeLines = code.lines
    }

    /// The folder below `Sources` or `Tests`.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    func findings(matching expression: some RegexComponent, _ words: String) -> [Finding] {
        codeLines.enumerated().filter { $1.contains(expression) }.map { Finding(self, $0.offset + 1, words) }
    }
}

/// A rule that a file breaks.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let words: String

    init(_ file: SourceFile, _ line: Int, _ words: String) {
        path = file.path
        self.line = line
        self.words = words
    }

    var description: String { "\(path):\(line) \(words)" }
}

/// The repository this test was compiled from. Files are read once.
enum SourceTree {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static let cache = Mutex<[String: SourceFile]>([:])

    /// All files below the folder whose names end in one of the extensions, by path.
    static func files(in folder: String, _ extensions: String...) throws -> [SourceFile] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).sorted()
            .filter { path in extensions.contains { path.hasSuffix("." + $0) } }
            .map { try file(folder + "/" + $0) }
    }

    static func file(_ path: String) throws -> SourceFile {
        try cache.withLock { files in
            if let known = files[path] { return known }
            let file = SourceFile(
                path: path, text: try String(contentsOfFile: root + "/" + path, encoding: .utf8))
            files[path] = file
            return file
        }
    }

    /// The folders directly below.
    static func folders(in folder: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
        return Set(
            names.filter { name in
                var isDirectory = false
                _ = FileManager.default.fileExists(
                    atPath: root + "/" + folder + "/" + name, isDirectory: &isDirectory)
                return isDirectory
            })
    }
}
