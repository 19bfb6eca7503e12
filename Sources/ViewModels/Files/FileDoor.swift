import Models

/// Files of one account on this machine: what is attached, and what is saved.
package protocol FileDoor: Sendable {
    /// Copies a file for sending, so that nothing that happens to it later changes what is sent.
    /// - Parameter path: As a person writes it: `~` stands for the home folder.
    func attach(_ path: String) async throws(FileTrouble) -> OutgoingFile
    /// Forgets the copy of a file that is not to be sent after all.
    func discard(_ file: OutgoingFile) async

    /// Saves an attachment under its own name, or the first free numbered one.
    /// - Parameters:
    ///   - folder: As a person writes it; `nil`: the usual folder for downloads.
    ///   - progress: Told the bytes here and in all, from any thread.
    /// - Returns: Where it is, for people.
    func save(
        _ attachment: Attachment, in folder: String?,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) -> String

    /// What a path may go on with while it is typed.
    /// - Parameter typed: As it stands in the line, perhaps in the middle of a quoted name.
    func completions(of typed: String, onlyFolders: Bool) async -> Completions

    /// Fetches an attachment and gives it to the desktop's program for its kind. Programs and the like are refused.
    func open(
        _ attachment: Attachment, progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble)
}

extension FileDoor {
    /// A door to no disk has nothing to offer.
    package func completions(of typed: String, onlyFolders: Bool) async -> Completions { Completions() }
}

/// Why something with a file was not done, with its words.
package struct FileTrouble: Error, Hashable, Sendable {
    package let userCopy: UserCopy
    /// The user, or the end of the program, stopped it: nothing to tell.
    package let isCancelled: Bool

    package init(_ userCopy: UserCopy, isCancelled: Bool = false) {
        self.userCopy = userCopy
        self.isCancelled = isCancelled
    }
}
