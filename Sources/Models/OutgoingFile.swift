/// A file of the user's that is to be sent: a whole copy of it, made when it was attached, so that nothing that
/// happens to the file later changes what is sent.
package struct OutgoingFile: Sendable, Hashable {
    /// The copy's name in the account's spool; no path.
    package var copy: String
    /// What the message will say of it; its path is empty.
    package var attachment: Attachment
    /// Of the content: lower-case hexadecimal.
    package var sha256: String

    package init(copy: String, attachment: Attachment, sha256: String) {
        self.copy = copy
        self.attachment = attachment
        self.sha256 = sha256
    }
}
