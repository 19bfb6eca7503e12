import Models

/// The file that goes with the next message, and what comes back from one that was not sent.
extension ComposerViewModel {
    /// Puts a file beside the text; one that was there makes room.
    package func take(_ file: OutgoingFile, of files: any FileDoor) {
        dropFile()
        self.files = files
        state.file = file
        state.hint = nil
    }

    /// Takes the file out again.
    /// - Returns: Whether there was one.
    @discardableResult
    package func dropFile() -> Bool {
        guard let file = state.file else { return false }
        state.file = nil
        discard(file)
        return true
    }

    /// Forgets the copy of a file that will not be sent.
    func discard(_ file: OutgoingFile) {
        guard let files else { return }
        Task { await files.discard(file) }
    }

    /// Puts what was taken back before what stands here. While an old message is edited, it is set aside with the rest.
    /// - Parameters:
    ///   - quoted: The message it answered, when that is at hand.
    ///   - files: Where the copy of its file is.
    func takeBack(_ taken: TakenBack, answering quoted: Message?, of files: (any FileDoor)?) {
        let texts = [taken.text, isEditing ? setAside : state.text.text].filter { !$0.isEmpty }
        let joined = texts.joined(separator: "\n")
        if isEditing { setAside = joined } else { state.text.setText(joined) }
        if let file = taken.file, let files { take(file, of: files) }
        if let quoted, state.mode == .message { state.mode = .reply(to: quoted) }
        state.hint = nil
        scheduleDraft()
    }
}
