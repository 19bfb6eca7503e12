/// Words for people about something that went wrong: what happened, and what to do next.
///
/// The words name actions, never keys, codes, addresses or the server's own text; only who is named in a certificate
/// is said, cleaned.
package struct UserCopy: Sendable, Hashable {
    package let what: String
    package let next: String

    package init(_ what: String, next: String) {
        self.what = what
        self.next = next
    }
}
