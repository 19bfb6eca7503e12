import Models

/// The file that goes with the next message.
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
}
