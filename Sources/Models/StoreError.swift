/// Why the local store could not keep or give something.
package enum StoreError: Error, Hashable, Sendable {
    case diskFull
    /// The folder or the file may not be written.
    case readOnly
    /// Pages of the database are damaged.
    case damaged
    /// Written by a later version of this program.
    case tooNew
    /// Another process has the account open.
    case inUse(holder: String)
    /// It was closed meanwhile, to be opened anew.
    case closed
    /// Anything else; the code is for the log.
    case failed(code: Int32)

    package var userCopy: UserCopy {
        switch self {
        case .diskFull: UserCopy("The disk is full.", next: "Free some space; what you typed is still here.")
        case .readOnly:
            UserCopy("The local store cannot be written.", next: "Check the folder's permissions.")
        case .damaged:
            UserCopy("The local store is damaged.", next: "Start again: it is rebuilt from the server.")
        case .tooNew: UserCopy("The local store is from a later version.", next: "Update Pingline.")
        case .inUse(let holder):
            UserCopy("This account is open in another place: \(holder).", next: "Close it there first.")
        case .closed: UserCopy("The local store was just opened anew.", next: "Do it once more.")
        case .failed: UserCopy("The local store failed.", next: "Try again; if it stays, check the disk.")
        }
    }
}
