import Backend
import FoundationEssentials
import Models

/// What people do who have no device here: it comes straight from the server.
extension Habits {
    func planNext(_ person: Person) {
        world.agenda.plan(after: world.random.moment(world.plan.pause)) {
            guard self.isOn else { return }
            if !self.world.serverIsDown { self.act(person) }
            self.planNext(person)
        }
    }

    private func act(_ person: Person) {
        let server = world.server
        let rooms = world.rooms.filter { server.isMember(person.id, of: $0) }
        guard let room = world.random.pick(rooms) else { return }
        let all = server.messages(in: room)
        let own = all.filter { $0.senderID == person.id && !$0.isDeleted }
        let operation: OutgoingOperation?
        switch world.random.below(10) {
        case 0...4:
            counter += 1
            operation = .send(
                OutgoingMessage(
                    id: world.newID(), conversationID: room, body: "\(person.username) \(counter)"))
        case 5:
            operation = own.randomElement(using: &world.random).map {
                .edit(messageID: $0.id, conversationID: room, body: $0.body + "!")
            }
        case 6:
            operation = own.randomElement(using: &world.random).map {
                .delete(messageID: $0.id, conversationID: room)
            }
        case 7:
            operation = all.randomElement(using: &world.random).map {
                .react(
                    messageID: $0.id, conversationID: room, symbol: "👍", isOn: self.world.random.happens(600))
            }
        default: operation = .markRead(conversationID: room, messageID: nil)
        }
        guard let operation else { return }
        world.trace("\(person.username): \(operation.short)")
        _ = server.perform(operation, as: person.id)
    }
}
