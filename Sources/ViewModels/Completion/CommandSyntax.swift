/// What stands behind the names of the commands, for completing it.
enum CommandSyntax {
    enum Argument: Hashable, Sendable {
        case file, folder, conversation, person, reaction
        /// Anything: nothing can be offered.
        case text
    }

    /// What is typed at the end of a line.
    enum Place: Hashable, Sendable {
        case name
        case argument(Argument)
    }

    /// - Parameter line: Without its `:`, up to the cursor.
    /// - Returns: What is being typed, and from where on.
    static func place(in line: String) -> (place: Place, start: String.Index)? {
        let nameStart = line.firstIndex { $0 != " " } ?? line.endIndex
        guard let blank = line[nameStart...].firstIndex(of: " ") else { return (.name, nameStart) }
        if let argument = arguments[line[nameStart..<blank].lowercased()] {
            // A plain path may begin with a blank only behind a backslash, a name never does.
            let start = line[blank...].firstIndex { $0 != " " } ?? line.endIndex
            return (.argument(argument), start)
        }
        // Names of two words.
        return (.name, nameStart)
    }

    /// Whether a name is complete only with something behind it, or may go on.
    static func goesOn(_ name: String) -> Bool { arguments[name] != nil }

    private static let arguments: [String: Argument] = [
        "attach": .file, "save": .folder, "go": .conversation, "switch": .conversation, "new": .person,
        "chat": .person, "invite": .person, "react": .reaction, "say": .text,
    ]

    /// Every name that can be typed, in order of the alphabet. Those of editing keys and of the places of the list
    /// are many and hardly ever typed: they are offered to who begins with their first word.
    static func names(beginningWith typed: String) -> [Completions.Candidate] {
        let words = Action.all.map(\.command).filter { name in
            !["text ", "open "].contains { name.hasPrefix($0) && !typed.lowercased().hasPrefix($0) }
        }
        return Set(words + ["say", "open"]).sorted().map { name in
            Completions.Candidate(goesOn(name) ? name + " " : name, label: name)
        }
    }
}
