import Models

/// A `:` command, read from its line.
package enum Command: Hashable, Sendable {
    case action(Action)
    /// Opens the conversation whose name fits best; `:go ben`.
    case go(String)
    /// Starts a conversation with the first person found by this name; `:new ben`.
    case new(String)
    case invite(String)
    /// Sends the line to the open conversation; `:say /usr is full`.
    case say(String)
    /// Reacts to the picked message; `:react thumbsup`.
    case react(String)
    /// Puts a file into the composer; `:attach ~/cat.png`.
    case attach(String)
    /// Saves the picked file into a folder; `:save /tmp`.
    case save(String)

    /// Reads a line without its `:`.
    /// - Returns: `nil` for a name that is no command, or arguments that it does not take.
    package init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let name = words.first?.lowercased() else { return nil }
        if let action = Action(command: line) {
            self = .action(action)
            return
        }
        let rest = words.count > 1 ? String(words[1]).trimmedAtEnd : ""
        guard !rest.isBlank else { return nil }
        switch name {
        case "go", "switch": self = .go(rest)
        case "new", "chat": self = .new(rest)
        case "invite": self = .invite(rest)
        case "say": self = .say(rest)
        case "react": self = .react(rest)
        // A name may end in a blank behind a backslash.
        case "attach": self = .attach(String(words[1]))
        case "save": self = .save(String(words[1]))
        default: return nil
        }
    }
}
