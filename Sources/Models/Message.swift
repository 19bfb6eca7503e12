import FoundationEssentials

/// One message of a conversation, as it is held, shown and exported. Its text is as it came: untrusted.
package struct Message: Sendable, Hashable, Identifiable {
    /// Chosen by the sender's client; the same on every try, so that a repeat stores nothing.
    package private(set) var id: UUID
    package let conversationID: UUID
    /// `nil` when the sender's account is gone.
    package var senderID: UUID?
    package var body: String
    /// Set for pictures only; any other file is in `attachment` alone.
    package var imageURL: URL?
    package var reactions: [Reaction]
    /// The service's time once it is known, the local time while the message waits. For display only.
    package var createdAt: Date
    /// Never part of the coded form.
    package var deliveryState: DeliveryState

    /// The order among confirmed messages, given by the backend; `nil` while the message waits. Then `id` decides.
    package var position: Int64?
    /// The order among waiting messages of this device: rises with each one typed. Meaningless once confirmed.
    package var typedOrder: Int64
    /// Rises with every change of the stored row; of two forms of one message the greater is the later.
    package var version: Int64
    package var failure: SendError?
    package var replyTo: UUID?
    package var editedAt: Date?
    package var deletedAt: Date?
    package var attachment: Attachment?

    package init(
        id: UUID, conversationID: UUID, senderID: UUID?, body: String, imageURL: URL? = nil,
        reactions: [Reaction] = [], createdAt: Date, deliveryState: DeliveryState = .sent,
        position: Int64? = nil,
        typedOrder: Int64 = 0, version: Int64 = 0, failure: SendError? = nil, replyTo: UUID? = nil,
        editedAt: Date? = nil, deletedAt: Date? = nil, attachment: Attachment? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.senderID = senderID
        self.body = body
        self.imageURL = imageURL
        self.reactions = reactions
        self.createdAt = createdAt
        self.deliveryState = deliveryState
        self.position = position
        self.typedOrder = typedOrder
        self.version = version
        self.failure = failure
        self.replyTo = replyTo
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.attachment = attachment
    }

    package var isDeleted: Bool { deletedAt != nil }

    /// The same message under another of its names.
    package func named(_ id: UUID) -> Message {
        var message = self
        message.id = id
        return message
    }
}

extension Message {
    /// The order of a thread: confirmed messages by position, then id; waiting ones after them as typed.
    package static func isOrdered(_ left: Message, before right: Message) -> Bool {
        switch (left.position, right.position) {
        case (let left?, let right?) where left != right: left < right
        case (nil, nil) where left.typedOrder != right.typedOrder: left.typedOrder < right.typedOrder
        case (nil, _?): false
        case (_?, nil): true
        default: left.id < right.id
        }
    }
}
