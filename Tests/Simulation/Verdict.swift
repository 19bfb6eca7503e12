import Backend
import FoundationEssentials
import Models
import Sync
import ViewModels

/// Lets a world come to rest, then compares what everybody has.
final class Verdict {
    private let world: World
    private let server: ModelServer
    private var drafts: [Int: [UUID: String]] = [:]

    init(world: World) {
        self.world = world
        server = world.server
    }

    func reach() {
        server.refusesBad = false
        gather()
        decideFailed()
        // Two of the client's rounds: what the feed lost is found by asking.
        pass(.seconds(700))
        scroll()
        guard world.failures.isEmpty else { return }
        for room in world.rooms { judge(room) }
        for device in world.devices { judge(device) }
        guard world.failures.isEmpty else { return }
        takeLeave()
    }

    private func pass(_ time: Duration) { world.advance(to: world.agenda.now + time) }

    // MARK: Coming to rest

    /// Everybody is back, online, and looks at everything.
    private func gather() {
        for _ in 0..<30 {
            for device in world.devices where device.isOff { device.start() }
            pass(.seconds(1))
        }
        for device in world.devices {
            guard let life = device.life else { continue }
            let engine = life.engine
            life.backend.hasNewStart()
            Task { await engine.wakeUp() }
            for room in device.rooms { life.open(room) }
        }
        pass(.seconds(40))
        scroll()
    }

    /// What failed is sent again or given up, as the user likes.
    private func decideFailed() {
        for device in world.devices {
            guard let life = device.life else { continue }
            let failed = life.screens.values.flatMap { $0.window.messages }.filter {
                $0.deliveryState == .failed
            }.sorted { $0.typedOrder < $1.typedOrder }
            let drops = failed.map { _ in world.random.happens(300) }
            let engine = life.engine
            for message in failed { device.retried.insert(message.id) }
            for (message, isDropped) in zip(failed, drops) where isDropped {
                device.typed.first { $0.id == message.id || $0.text == message.body }?.wasDropped = true
            }
            Task { () async -> Void in
                do throws(ChatError) {
                    for (message, isDropped) in zip(failed, drops) {
                        if isDropped {
                            try await engine.drop(message.id)
                        } else {
                            try await engine.retry(message.id)
                        }
                    }
                } catch {
                    self.world.fail("\(device.name): a failed message could not be sent again: \(error)")
                }
            }
        }
        pass(.seconds(30))
    }

    private var shown: Int {
        world.devices.flatMap { $0.life?.screens.values.map(\.window.messages.count) ?? [] }.reduce(0, +)
    }

    /// Up to the beginning, everywhere.
    private func scroll() {
        var before = -1
        while world.failures.isEmpty, before != shown {
            before = shown
            for device in world.devices {
                for screen in device.life?.screens.values.sorted(by: { $0.room < $1.room }) ?? [] {
                    screen.loadOlder()
                }
            }
            pass(.seconds(20))
        }
    }

    // MARK: The server's side

    private func judge(_ room: UUID) {
        let stored = server.messages(in: room)
        let byID = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
        for device in world.devices {
            for typed in device.typed where typed.room == room { judge(typed, of: device, byID) }
            judgeOrder(of: device, in: room, byID)
        }
        for (key, wanted) in world.wishes.reactions {
            guard let message = byID[key.messageID], !message.isDeleted else { continue }
            let isOn =
                server.rooms[room]?.reactions.values.contains {
                    $0.messageID == key.messageID && $0.userID == key.userID && $0.symbol == key.symbol
                        && $0.isOn
                } ?? false
            if !wanted.contains(isOn) {
                world.fail("the reaction \(key.symbol) to \(message.short) is \(isOn)")
            }
        }
        for (place, position) in world.wishes.read where place.room == room {
            let mark = server.rooms[room]?.places[place.userID]?.read ?? .min
            if mark < position { world.fail("somebody has read up to \(position), the server knows \(mark)") }
        }
    }

    private func judge(_ typed: Typed, of device: Device, _ stored: [UUID: Message]) {
        let copies = stored.values.filter { $0.senderID == device.person.id && $0.body == typed.text }
        if copies.count > 1 { world.fail("“\(typed.text)” is at the server \(copies.count) times") }
        guard let id = typed.id, !typed.wasDropped else { return }
        let deletions = world.wishes.deletions[id] ?? [false]
        guard let message = stored[id] else {
            if !typed.isBad || deletions == [false] { world.fail("“\(typed.text)” is not at the server") }
            return
        }
        if !deletions.contains(message.isDeleted) {
            world.fail("\(message.short) is \(message.isDeleted ? "" : "not ")deleted")
        }
        guard !message.isDeleted, !typed.isBad, let bodies = world.wishes.bodies[id] else { return }
        if !bodies.contains(message.body) {
            world.fail("“\(typed.text)” says “\(message.body)” instead of \(bodies.sorted())")
        }
    }

    /// What one person wrote on one device stands in the order it was written, refused ones apart.
    private func judgeOrder(of device: Device, in room: UUID, _ stored: [UUID: Message]) {
        let messages = device.typed.filter { $0.room == room && !$0.isBad && !$0.wasDropped }
            .compactMap { $0.id.flatMap { stored[$0] } }
        for (first, second) in zip(messages, messages.dropFirst())
        where first.position ?? 0 > second.position ?? 0 {
            world.fail("\(second.short) has overtaken \(first.short)")
        }
    }

    // MARK: Everybody's side

    private func judge(_ device: Device) {
        guard let life = device.life else { return world.fail("\(device.name): does not run") }
        if life.status != .connected { world.fail("\(device.name): is \(life.status)") }
        if life.detail.waitingCount != 0 { world.fail("\(device.name): \(life.detail.waitingCount) wait") }
        if Set(life.list.map(\.id)) != Set(device.rooms) {
            world.fail("\(device.name): lists \(life.list.count)")
        }
        for row in life.list { judge(row, on: device) }
        for room in device.rooms {
            guard let screen = life.screens[room] else { continue }
            judge(screen, of: device)
        }
        let held = Set(life.backend.channels.filter { $0.value > 0 }.keys)
        if held != Set(device.rooms) { world.fail("\(device.name): holds \(held.count) channels") }
        if life.line.links.count != 1 { world.fail("\(device.name): \(life.line.links.count) links") }
    }

    private func judge(_ row: Conversation, on device: Device) {
        let unread = server.unread(of: device.person.id, in: row.id)
        if row.unreadCount != unread {
            world.fail(
                "\(device.name): \(row.unreadCount) unread in “\(row.title)”, the server says \(unread)")
        }
        if row.readPosition != server.rooms[row.id]?.places[device.person.id]?.read {
            world.fail("\(device.name): the read mark in “\(row.title)” is not the server's")
        }
        if row.lastMessage?.id != server.rooms[row.id]?.order.last {
            world.fail("\(device.name): “\(row.title)” does not end with its last message")
        }
    }

    private func judge(_ screen: Screen, of device: Device) {
        let stored = server.messages(in: screen.room)
        let title = server.rooms[screen.room]?.title ?? ""
        let shown = screen.window.messages
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
        if !screen.typing.isEmpty { world.fail("\(device.name): somebody types in “\(title)” for ever") }
        for (left, right) in zip(shown, stored) where left.id == right.id {
            judge(left, against: right, on: device)
        }
    }

    private func judge(_ shown: Message, against stored: Message, on device: Device) {
        if shown.body != stored.body || shown.isDeleted != stored.isDeleted {
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

    // MARK: The end

    /// Drafts are where they were left; then everybody goes, and nothing stays behind.
    private func takeLeave() {
        for device in world.devices {
            guard let engine = device.life?.engine else { continue }
            Task {
                for room in device.rooms {
                    self.drafts[device.number, default: [:]][room] = await engine.draft(in: room)
                }
            }
        }
        pass(.seconds(5))
        for device in world.devices {
            for room in device.rooms {
                let draft = drafts[device.number]?[room] ?? ""
                let possible = device.drafts[room] ?? [""]
                if !possible.contains(draft) {
                    world.fail("\(device.name): the draft is “\(draft)”, not \(possible)")
                }
            }
            device.quit()
        }
        pass(.seconds(60))
        if world.agenda.waitingJobs > 0 { world.fail("\(world.agenda.waitingJobs) jobs are left") }
        if !world.unfinished.isEmpty { world.fail("engines live on: \(world.unfinished)") }
        if !server.links.isEmpty { world.fail("\(server.links.count) links are left") }
    }
}
