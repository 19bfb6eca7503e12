/// Why a file or folder of ours cannot be used. The path is for the log.
package enum PrivateFileError: Error, Hashable, Sendable {
    /// It belongs to another user, who could swap what is in it.
    case notOurs(path: String)
    /// Longer than anything we write.
    case tooLong(path: String)
    /// The system's `errno`.
    case failed(path: String, code: Int32)
}
