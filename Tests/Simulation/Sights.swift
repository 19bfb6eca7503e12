import FoundationEssentials
import Models

/// What was seen on one device, over all its lives: nothing of it may ever go back.
struct Sights {
    private struct Look {
        var state: DeliveryState
        var version: Int64
        var position: Int64?
        var isDeleted: Bool

        init(_ message: Message) {
            state = message.deliveryState
            version = message.version
            position = message.position
            isDeleted = message.isDeleted
        }
    }

    private var looks: [UUID: Look] = [:]
    private var marks: [UUID: Conversation] = [:]

    var ids: Set<UUID> { Set(looks.keys) }

    /// - Parameters:
    ///   - wasRetried: The user has sent it again after a failure.
    ///   - mayComeBack: The server may refuse a wish about it: what was hidden by the wish shows again then.
    /// - Returns: What went back; `nil` when nothing did.
    mutating func see(_ message: Message, wasRetried: Bool, mayComeBack: Bool) -> String? {
        let now = Look(message)
        defer { looks[message.id] = now }
        guard let before = looks[message.id] else { return nil }
        if before.position != nil, now.position != before.position {
            return "\(message.short) moved from \(before.position ?? 0) to \(now.position ?? 0)"
        }
        if now.version < before.version {
            return "\(message.short) went from version \(before.version) to \(now.version)"
        }
        if before.isDeleted, !now.isDeleted, !mayComeBack {
            return "\(message.short) came back after its deletion"
        }
        if before.state == .failed, now.state == .sending, wasRetried { return nil }
        guard before.state.advanced(by: now.state) == now.state else {
            return "\(message.short) went from \(before.state) to \(now.state)"
        }
        return nil
    }

    /// Remembers what some view shows, where it is more than is known.
    mutating func note(_ message: Message) {
        let now = Look(message)
        guard let before = looks[message.id] else {
            looks[message.id] = now
            return
        }
        if (before.version, before.state.rank) < (now.version, now.state.rank) { looks[message.id] = now }
    }

    mutating func forget(_ id: UUID) { looks[id] = nil }

    func isConfirmed(_ id: UUID) -> Bool { looks[id]?.position != nil }

    /// - Returns: The watermark that went back; `nil` when none did.
    mutating func see(_ row: Conversation) -> String? {
        let before = marks[row.id]
        marks[row.id] = row
        guard let before else { return nil }
        func isBack(_ mark: KeyPath<Conversation, Int64?>) -> Bool {
            (row[keyPath: mark] ?? .min) < (before[keyPath: mark] ?? .min)
        }
        if isBack(\.readPosition) { return "the read mark of “\(row.title)” went back" }
        if isBack(\.othersDeliveredPosition) { return "the others' delivered mark went back" }
        if isBack(\.othersReadPosition) { return "the others' read mark went back" }
        return row.activityAt < before.activityAt ? "the activity of “\(row.title)” went back" : nil
    }
}

extension DeliveryState {
    fileprivate var rank: Int {
        switch self {
        case .sending, .failed: 0
        case .sent: 1
        case .delivered: 2
        case .read: 3
        }
    }
}

extension Message {
    /// For the trace.
    var short: String { "\(id.short) “\(body)”" }
}
