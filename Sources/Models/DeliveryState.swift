/// How far an own message has come. It is this device's knowledge and never travels.
package enum DeliveryState: String, Sendable, Codable, CaseIterable {
    /// Typed and stored here; not yet confirmed by the service.
    case sending
    /// Stored by the service.
    case sent
    /// Received by everybody else in the conversation.
    case delivered
    /// Read by everybody else in the conversation.
    case read
    /// Refused by the service; `Message.failure` says why.
    case failed

    /// The state after hearing `news`: states only move forward, and a confirmation that comes late beats
    /// `failed`. Going from `failed` back to `sending` is the user's act, not news.
    package func advanced(by news: DeliveryState) -> DeliveryState {
        switch (self, news) {
        case (.failed, .sending), (.sending, .sending): self
        case (_, .failed): self == .sending ? .failed : self
        case (.failed, _), (.sending, _): news
        default: news.progress > progress ? news : self
        }
    }

    private var progress: Int {
        switch self {
        case .sending, .failed: 0
        case .sent: 1
        case .delivered: 2
        case .read: 3
        }
    }
}
