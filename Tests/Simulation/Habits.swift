import Backend
import FoundationEssentials
import Models
import Sync
import ViewModels

/// What people do: they write, change their minds, look away, and come back.
final class Habits {
    let world: World
    private(set) var isOn = false
    var counter = 0

    init(world: World) { self.world = world }

    func begin(until end: Duration) {
        isOn = true
        for device in world.devices { planNext(device) }
        for person in world.distant { planNext(person) }
    }

    func stop() { isOn = false }

    private func planNext(_ device: Device) {
        world.agenda.plan(after: world.random.moment(world.plan.pause)) {
            guard self.isOn else { return }
            if let life = device.life { self.act(life) }
            self.planNext(device)
        }
    }

    private func act(_ life: Life) {
        guard let room = world.random.pick(world.rooms.filter(life.device.known.contains)) else { return }
        switch world.random.below(22) {
        case 0...5: compose(life, room)
        case 6: leaveDraft(life, room)
        case 7, 8: life.open(room)
        case 9: world.random.happens(300) ? life.close(room) : life.open(room)
        case 10, 11: markRead(life, room)
        case 12: edit(life, room)
        case 13: delete(life, room)
        case 14, 15: react(life, room)
        case 16: dropOrRetry(life, room)
        case 17: type(life, room)
        case 18: if world.plan.blows.moveMembers { comeOrGo(life, room) }
        case 19: for screen in life.screens.values.sorted(by: { $0.room < $1.room }) { screen.loadOlder() }
        default: break
        }
    }

    // MARK: The composer

    private func text(_ who: String) -> String {
        counter += 1
        let mark = world.random.happens(60) ? Typed.badMark + " " : ""
        return "\(mark)\(who) \(counter)"
    }

    private func compose(_ life: Life, _ room: UUID) {
        guard !life.isComposing else { return }
        life.isComposing = true
        let count = world.random.happens(300) ? 1 + world.random.below(4) : 1
        let texts = (0..<count).map { _ in text(life.device.name) }
        let reply =
            world.random.happens(200) ? confirmed(life, room).randomElement(using: &world.random)?.id : nil
        let savesBefore = world.random.happens(500)
        let types = world.random.happens(300)
        Task {
            for text in texts {
                if types { await life.engine.setTyping(true, in: room) }
                if savesBefore { await self.save(String(text.prefix(4)), life, room) }
                await self.send(text, life, room, replyTo: reply)
            }
            life.isComposing = false
        }
    }

    private func send(_ text: String, _ life: Life, _ room: UUID, replyTo: UUID?) async {
        guard !life.isOver else { return }
        let device = life.device
        let typed = Typed(text: text, room: room)
        device.typed.append(typed)
        world.countMessage()
        world.trace("\(device.name): types “\(text)”")
        let drafts = device.drafts[room] ?? [""]
        device.drafts[room] = drafts.union([""])
        do throws(ChatError) {
            let message = try await life.engine.send(text, in: room, replyTo: replyTo, file: file())
            guard !life.isOver else { return }
            typed.id = message.id
            world.wishes.end(body: text, of: message.id)
            device.drafts[room] = Set(drafts.map { text.hasPrefix($0) ? "" : $0 })
        } catch {
            guard !life.isOver else { return }
            typed.wasNotTaken = true
            device.drafts[room] = drafts
            if !world.excuse(error, of: life) {
                world.fail("\(device.name): “\(text)” was not taken: \(error)")
            }
        }
    }

    /// Now and then a message has one.
    private func file() -> OutgoingFile? {
        guard world.plan.blows.haveFiles, world.random.happens(300) else { return nil }
        let name = "file \(world.nextNumber())"
        return OutgoingFile(
            copy: name, attachment: Attachment(path: "", name: name, mimeType: "text/plain", size: 5),
            sha256: name)
    }

    /// Begins to write, and perhaps thinks better of it.
    private func type(_ life: Life, _ room: UUID) {
        let stops = world.random.happens(500)
        Task {
            await life.engine.setTyping(true, in: room)
            if stops { await life.engine.setTyping(false, in: room) }
        }
    }

    private func leaveDraft(_ life: Life, _ room: UUID) {
        guard !life.isComposing else { return }
        life.isComposing = true
        let text = world.random.happens(200) ? "" : "draft " + text(life.device.name)
        Task {
            await self.save(text, life, room)
            life.isComposing = false
        }
    }

    private func save(_ text: String, _ life: Life, _ room: UUID) async {
        guard !life.isOver else { return }
        let device = life.device
        let before = device.drafts[room]
        device.drafts[room, default: [""]].insert(text)
        do throws(ChatError) {
            try await life.engine.saveDraft(text, in: room)
            if !life.isOver { device.drafts[room] = [text] }
        } catch {
            guard !life.isOver else { return }
            device.drafts[room] = before
            if !world.excuse(error, of: life) {
                world.fail("\(device.name): a draft was not taken: \(error)")
            }
        }
    }

    // MARK: Everything else

    private func seen(_ life: Life, _ room: UUID) -> [Message] { life.screens[room]?.window.messages ?? [] }

    private func confirmed(_ life: Life, _ room: UUID) -> [Message] {
        seen(life, room).filter { $0.position != nil && !$0.isDeleted }
    }

    private func own(_ life: Life, _ room: UUID) -> [Message] {
        seen(life, room).filter { $0.senderID == life.device.person.id && !$0.isDeleted }
    }

    /// One thing after another, as a person's hands do.
    private func busy(_ life: Life, _ work: @escaping @MainActor () async throws(ChatError) -> Void) {
        guard !life.isBusy else { return }
        life.isBusy = true
        Task {
            // What the engine refuses, because the message went meanwhile, is no wish any more.
            do throws(ChatError) { try await work() } catch {
                self.world.trace("\(life.device.name): could not: \(error)")
                if case .store = error, !life.isOver, !self.world.excuse(error, of: life) {
                    self.world.fail("\(life.device.name): the store failed: \(error)")
                }
            }
            life.isBusy = false
        }
    }

    private func markRead(_ life: Life, _ room: UUID) {
        guard let newest = seen(life, room).last else { return }
        busy(life) { () async throws(ChatError) in
            try await life.engine.markRead(upTo: newest.id, in: room)
            // What a failing disk did not keep cannot be marked.
            guard !life.isOver, life.troublesTold == 0, let position = newest.position else { return }
            self.world.wishes.hasRead(position, Wishes.Place(userID: life.device.person.id, room: room))
        }
    }

    private func comeOrGo(_ life: Life, _ room: UUID) {
        let people = world.devices.map(\.person) + world.distant
        let leaves = world.random.happens(300)
        guard let other = world.random.pick(people) else { return }
        busy(life) { () async throws(ChatError) in
            if leaves {
                self.world.count(.memberOut)
                self.world.trace("\(life.device.name): leaves")
                try await life.engine.leaveConversation(room)
            } else {
                self.world.count(.memberIn)
                self.world.trace("\(life.device.name): adds \(other.username)")
                try await life.engine.addMembers([other.id], to: room)
            }
        }
    }

    private func edit(_ life: Life, _ room: UUID) {
        guard let message = own(life, room).randomElement(using: &world.random) else { return }
        let body = text("edit")
        busy(life) { () async throws(ChatError) in
            self.world.trace("\(life.device.name): edits \(message.short) to “\(body)”")
            self.world.wishes.begin(body: body, of: message.id)
            try await life.engine.edit(message.id, in: room, body: body)
            guard !life.isOver, life.device.isOnlyOne else { return }
            self.world.wishes.end(body: body, of: message.id)
        }
    }

    private func delete(_ life: Life, _ room: UUID) {
        guard let message = own(life, room).randomElement(using: &world.random) else { return }
        busy(life) { () async throws(ChatError) in
            self.world.trace("\(life.device.name): deletes \(message.short)")
            self.world.wishes.beginDeletion(of: message.id)
            try await life.engine.delete(message.id, in: room)
            if !life.isOver { self.world.wishes.endDeletion(of: message.id) }
        }
    }

    private func react(_ life: Life, _ room: UUID) {
        guard let message = confirmed(life, room).randomElement(using: &world.random) else { return }
        let symbol = world.random.pick(["👍", "❤️", "😂"]) ?? "👍"
        let isOn = world.random.happens(700)
        let toggles = world.random.happens(300) ? 1 + Int(world.random.below(4)) : 1
        let key = Wishes.ReactionKey(
            messageID: message.id, userID: life.device.person.id, symbol: symbol)
        busy(life) { () async throws(ChatError) in
            for toggle in 0..<toggles {
                let wanted = toggle.isMultiple(of: 2) == isOn
                self.world.trace("\(life.device.name): reacts \(symbol) \(wanted) to \(message.short)")
                self.world.wishes.begin(wanted, key)
                try await life.engine.react(to: message.id, in: room, symbol: symbol, isOn: wanted)
                guard !life.isOver else { return }
                if life.device.isOnlyOne { self.world.wishes.end(wanted, key) }
            }
        }
    }

    private func dropOrRetry(_ life: Life, _ room: UUID) {
        let waiting = own(life, room).filter { $0.position == nil }
        guard let message = waiting.randomElement(using: &world.random) else { return }
        if world.random.happens(500) { drop(message, life) } else { retry(message, life) }
    }

    func drop(_ message: Message, _ life: Life) {
        let typed = life.device.typed.first { $0.id == message.id || $0.text == message.body }
        busy(life) { () async throws(ChatError) in
            self.world.trace("\(life.device.name): drops \(message.short)")
            typed?.wasDropped = true
            try await life.engine.drop(message.id)
        }
    }

    func retry(_ message: Message, _ life: Life) {
        busy(life) { () async throws(ChatError) in
            life.device.retried.insert(message.id)
            try await life.engine.retry(message.id)
        }
    }
}
