import Models

/// A thread as it is stored, and what happens in it from then on; nothing is missing in between.
package struct OpenThread: Sendable {
    /// The newest stored page, oldest first; of two with the same id the later one counts.
    package let page: [Message]
    /// Every message that is added or changed, each as it is then. Dropping it leaves the conversation's channel.
    package let changes: AsyncStream<Message>

    package init(page: [Message], changes: AsyncStream<Message>) {
        self.page = page
        self.changes = changes
    }
}
