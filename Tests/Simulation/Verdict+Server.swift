import Backend
import FoundationEssentials
import Models

/// What the server has, against what people did.
extension Verdict {
    func judge(_ room: UUID) {
        let stored = server.messages(in: room)
        let byID = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
        for device in world.devices {
            for typed in device.typed where typed.room == room { judge(typed, of: device, byID) }
            judgeOrder(of: device, in: room, byID)
        }
        for (key, wanted) in world.wishes.reactions {
            guard let message = byID[key.messageID], !message.isDeleted,
                !server.wereOut.contains(Wishes.Place(userID: key.userID, room: room))
            else { continue }
            let isOn =
                server.rooms[room]?.reactions.values.contains {
                    $0.messageID == key.messageID && $0.userID == key.userID && $0.symbol == key.symbol
                        && $0.isOn
                } ?? false
            if !wanted.contains(isOn) {
                world.fail("the reaction \(key.symbol) to \(message.short) is \(isOn)")
            }
        }
        for (place, position) in world.wishes.read
        where place.room == room && !server.wereOut.contains(place) && !isThinned(room) {
            let mark = server.rooms[room]?.places[place.userID]?.read ?? .min
            if mark < position { world.fail("somebody has read up to \(position), the server knows \(mark)") }
        }
    }

    private func judge(_ typed: Typed, of device: Device, _ stored: [UUID: Message]) {
        let copies = stored.values.filter { $0.senderID == device.person.id && $0.body == typed.text }
        if copies.count > 1 { world.fail("“\(typed.text)” is at the server \(copies.count) times") }
        if typed.wasNotTaken, !copies.isEmpty { world.fail("“\(typed.text)” was not taken, and is sent") }
        guard let id = typed.id, !typed.wasDropped, !server.removed.contains(id) else { return }
        let deletions = world.wishes.deletions[id] ?? [false]
        let mayBeRefused = typed.isBad || device.wasOut(of: typed.room)
        guard let message = stored[id] else {
            guard server.isMember(device.person.id, of: typed.room) else { return }
            if !mayBeRefused || deletions == [false] { world.fail("“\(typed.text)” is not at the server") }
            return
        }
        if !deletions.contains(message.isDeleted), !device.wasOut(of: typed.room) {
            world.fail("\(message.short) is \(message.isDeleted ? "" : "not ")deleted")
        }
        guard !message.isDeleted, !mayBeRefused, let bodies = world.wishes.bodies[id] else { return }
        if !bodies.contains(message.body) {
            world.fail("“\(typed.text)” says “\(message.body)” instead of \(bodies.sorted())")
        }
    }

    /// What one person wrote on one device stands in the order it was written, refused ones apart.
    private func judgeOrder(of device: Device, in room: UUID, _ stored: [UUID: Message]) {
        let messages = device.typed.filter { $0.room == room && !$0.isBad && !$0.wasDropped }
            .compactMap(\.id).filter { !device.retried.contains($0) }.compactMap { stored[$0] }
        for (first, second) in zip(messages, messages.dropFirst())
        where first.position ?? 0 > second.position ?? 0 {
            world.fail("\(second.short) has overtaken \(first.short)")
        }
    }

    /// Whether something was removed from it that some client may still have.
    func isThinned(_ room: UUID) -> Bool { !server.removed.isEmpty }

    /// Every file is one that a message names, and every message's file is there.
    func judgeFiles() {
        for (path, file) in server.files.sorted(by: { $0.key < $1.key })
        where !server.removed.contains(file.messageID) && server.isMember(file.owner, of: file.room) {
            if !server.isNamed(path, by: file.messageID) { world.fail("the file \(path) is left over") }
        }
        for room in world.rooms {
            for message in server.messages(in: room) {
                guard let path = message.attachment?.path, server.files[path] == nil else { continue }
                world.fail("the file of \(message.short) is gone")
            }
        }
    }
}
