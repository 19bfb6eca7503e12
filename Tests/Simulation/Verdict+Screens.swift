import Backend
import FoundationEssentials
import Models
import Sync
import ViewModels

/// What everybody sees, against what the server has.
extension Verdict {
    func judge(_ device: Device) {
        guard let life = device.life else { return world.fail("\(device.name): does not run") }
        if life.status != .connected { world.fail("\(device.name): is \(life.status)") }
        if life.detail.waitingCount != 0 { world.fail("\(device.name): \(life.detail.waitingCount) wait") }
        if Set(life.list.map(\.id)) != Set(device.rooms) {
            world.fail("\(device.name): lists \(life.list.count)")
        }
        for row in life.list { judge(row, of: life) }
        for room in device.rooms {
            guard let screen = life.screens[room] else { continue }
            judge(screen, of: life)
        }
        let held = Set(life.backend.channels.filter { $0.value > 0 }.keys)
        if held != Set(device.rooms) { world.fail("\(device.name): holds \(held.count) channels") }
        if life.line.links.count != 1 { world.fail("\(device.name): \(life.line.links.count) links") }
    }

    private func judge(_ row: Conversation, of life: Life) {
        let device = life.device
        let mark = server.rooms[row.id]?.places[device.person.id]?.read
        // A mark on what the server had no more, or in a conversation that was left, is only known here.
        let mayBeAhead = isThinned(row.id) || device.wasOut(of: row.id)
        if row.readPosition != mark, !mayBeAhead || row.readPosition ?? .min < mark ?? .min {
            world.fail("\(device.name): the read mark in “\(row.title)” is not the server's")
        }
        let unread = server.unread(of: device.person.id, in: row.id, after: row.readPosition)
        let kept = leftovers(in: row.id, of: life).filter {
            $0.senderID != device.person.id && !$0.isDeleted && $0.position ?? 0 > row.readPosition ?? .min
        }
        // The server counted without what it had removed; of that the client counts what came after this count.
        if !(unread...unread + kept.count).contains(row.unreadCount) {
            world.fail(
                "\(device.name): \(row.unreadCount) unread in “\(row.title)”, the server says \(unread)")
        }
        if row.lastMessage?.id != server.rooms[row.id]?.order.last,
            !leftovers(in: row.id, of: life).contains(where: { $0.id == row.lastMessage?.id })
        {
            world.fail("\(device.name): “\(row.title)” does not end with its last message")
        }
    }

    /// What is shown, was removed at the server, and of that this life was not told.
    private func leftovers(in room: UUID, of life: Life) -> [Message] {
        life.screens[room]?.window.messages.filter {
            server.removed.contains($0.id) && !life.line.heardRemoved.contains($0.id)
        } ?? []
    }

    private func judge(_ screen: Screen, of life: Life) {
        let device = life.device
        let stored = server.messages(in: screen.room)
        let title = server.rooms[screen.room]?.title ?? ""
        let kept = Set(leftovers(in: screen.room, of: life).map(\.id))
        let shown = screen.window.messages.filter { !kept.contains($0.id) }
        if let stuck = shown.first(where: { $0.position == nil }) {
            world.fail("\(device.name): \(stuck.short) is \(stuck.deliveryState) for ever")
        }
        if shown.map(\.id) != stored.map(\.id) {
            let missing = stored.filter { message in !shown.contains { $0.id == message.id } }.map(\.short)
            let extra = shown.filter { message in !stored.contains { $0.id == message.id } }.map(\.short)
            world.fail(
                "\(device.name): “\(title)” lacks \(missing), has besides \(extra), or is not in order")
        }
        if screen.gap != nil { world.fail("\(device.name): the gap in “\(title)” stays") }
        if screen.present != server.present(in: screen.room) {
            world.fail("\(device.name): \(screen.present.count) are present in “\(title)”")
        }
        if !screen.typing.isEmpty { world.fail("\(device.name): somebody types in “\(title)” for ever") }
        for (left, right) in zip(shown, stored) where left.id == right.id {
            judge(left, against: right, on: device)
        }
    }

    private func judge(_ shown: Message, against stored: Message, on device: Device) {
        if shown.body != stored.body || shown.isDeleted != stored.isDeleted
            || shown.attachment != stored.attachment
        {
            world.fail("\(device.name): shows \(shown.short) for \(stored.short)")
        }
        guard !stored.isDeleted else { return }
        var counts: [String: Set<UUID?>] = [:]
        for row in server.rooms[stored.conversationID]?.reactions.values ?? [:].values
        where row.messageID == stored.id && row.isOn {
            counts[row.symbol, default: []].insert(row.userID)
        }
        let seen = Dictionary(uniqueKeysWithValues: shown.reactions.map { ($0.symbol, $0.count) })
        if seen != counts.mapValues(\.count) {
            world.fail("\(device.name): \(stored.short) has \(counts.mapValues(\.count)), shows \(seen)")
        }
    }
}
