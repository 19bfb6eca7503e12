import Terminal

/// What the environment says about the terminal. Pure: the variables come in.
package struct TerminalEnvironment: Hashable, Sendable {
    /// `TERM`; `nil` when unset or empty.
    package var name: String?
    /// The locale's text is UTF-8; otherwise only ASCII is written.
    package var isUTF8: Bool
    /// `COLORTERM` says 24 bit.
    package var hasTrueColor: Bool
    /// `NO_COLOR` as it is set.
    package var noColor: String?
    /// The keys come over a network, where the bytes of one key may be apart.
    package var isRemote: Bool

    package init(_ variables: [String: String]) {
        func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        name = value("TERM")
        let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C"
        let codeset = locale.lowercased().filter { $0 != "-" }
        isUTF8 = codeset.contains(".utf8") || codeset == "utf8"
        hasTrueColor = ["truecolor", "24bit"].contains(value("COLORTERM")?.lowercased())
        noColor = variables["NO_COLOR"]
        isRemote = value("SSH_CONNECTION") != nil || value("SSH_CLIENT") != nil || value("SSH_TTY") != nil
    }

    /// How long an escape may be the beginning of a sequence.
    package var escapeDelay: Duration { isRemote ? .milliseconds(100) : .milliseconds(25) }

    /// The descriptions to try, best first. A terminal nobody knows is most likely like xterm.
    package var candidates: [String] {
        let common = ["xterm-256color", "xterm", "vt100", "ansi"]
        guard let name else { return common }
        return [name] + common.filter { $0 != name }
    }

    /// What people should know when the terminal is described as another, or when its locale leaves us ASCII.
    func notice(using used: String) -> CleanText? {
        guard let name else { return CleanText("TERM is not set; taken for \(used).") }
        guard name != used else {
            let text =
                "This locale has no UTF-8, so everything is shown in ASCII. Set LANG to C.UTF-8 to change it."
            return isUTF8 ? nil : CleanText(text)
        }
        let shown = CleanText(name).prefix(fitting: 40, ellipsis: true).string
        return CleanText("The terminal “\(shown)” is not known here; taken for \(used).")
    }

    /// - Parameter count: Of the description; 0 without colours.
    package func depth(colors count: Int) -> ColorDepth {
        switch count {
        case ..<8: .none
        case ..<16: .eight
        case ..<256: .sixteen
        default: hasTrueColor ? .trueColor : .palette
        }
    }
}
