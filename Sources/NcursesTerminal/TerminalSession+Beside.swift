import FoundationEssentials
import Terminal

/// What goes to the terminal beside the frames: its title, the mouse, the bell, the clipboard.
extension TerminalSession {
    /// Shows a window title where the terminal has one. The old one comes back with `leave()`.
    package func setTitle(_ title: CleanText) {
        guard title != self.title else { return }
        self.title = title
        if possession == .held { show(title) }
    }

    func show(_ title: CleanText) {
        guard modes.showsTitles, !isASCII else { return }
        let bytes = ModeSequences.title(title)
        if aheadOfFrame != nil { aheadOfFrame?.append(contentsOf: bytes) } else { outflow.send(bytes) }
    }

    /// Turns mouse reports on or off. While on, selecting text needs Shift in most terminals.
    package func setMouse(_ isOn: Bool) {
        guard isOn != usesMouse else { return }
        usesMouse = isOn
        if possession == .held { outflow.send(ModeSequences.mouse(isOn)) }
    }

    /// Rings the bell.
    package func ring() {
        if possession == .held { outflow.send([0x07]) }
    }

    /// Puts text on the user's clipboard, where the terminal allows it (OSC 52).
    ///
    /// The text goes as it is, in base64: no byte of it can act on the terminal.
    /// - Returns: False when it is longer than terminals take, 74 994 bytes.
    @discardableResult package func copy(_ text: String) -> Bool {
        let bytes = Data(text.utf8)
        guard possession == .held, bytes.count <= 74_994 else { return false }
        outflow.send(Array("\u{1B}]52;c;\(bytes.base64EncodedString())\u{1B}\\".utf8))
        return true
    }
}
