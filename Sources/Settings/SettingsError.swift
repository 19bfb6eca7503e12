/// Why `config.toml` as a whole cannot be used. Nothing of it is in force then, and nothing rewrites it.
///
/// No case holds text from the file: it may have secrets in it.
package enum SettingsError: Error, Equatable, Sendable {
    /// No TOML. The line is where reading broke off, which may be below the slip.
    case malformed(line: Int, column: Int)
    /// A setting or a table is there twice; the line is the second one's.
    case duplicate(line: Int)
    /// Not UTF-8.
    case encoding(line: Int)
    case isFolder
    case notAllowed
    /// Larger than a megabyte: surely another file.
    case tooLarge
    /// Anything else; the code is for the log.
    case unreadable(code: Int32)

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .malformed(let line, _): "config.toml cannot be read from line \(line) on."
        case .duplicate(let line): "config.toml says the same thing twice, again in line \(line)."
        case .encoding(let line): "config.toml is not UTF-8 text (line \(line))."
        case .isFolder: "config.toml is a folder."
        case .notAllowed: "config.toml may not be read."
        case .tooLarge: "config.toml is too large to be a list of settings."
        case .unreadable: "config.toml cannot be read."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .malformed(let line, _):
            "Look at line \(line) and the one above for a missing quote, bracket or equals sign."
        case .duplicate: "Keep one of the two."
        case .encoding: "Save it as UTF-8."
        case .isFolder: "Move it away and write a file of that name."
        case .notAllowed: "Give yourself the right to read it."
        case .tooLarge: "Put the right file in its place."
        case .unreadable: "Check the disk and the file's permissions."
        }
    }
}
