import FoundationEssentials
import Models
import Sync

/// Blows from outside, at random moments.
final class Mishaps {
    private let world: World
    private var isOn = false

    init(world: World) { self.world = world }

    private var agenda: Agenda { world.agenda }

    func begin(until end: Duration) {
        isOn = true
        planNext()
    }

    /// Everything works again.
    func stop() {
        isOn = false
        world.serverIsDown = false
        for device in world.devices {
            device.isSignedOut = false
            device.mendDisk()
            guard let line = device.life?.line else { continue }
            line.recover()
            line.trouble = Line.Trouble()
            line.latency = .milliseconds(5)...(.milliseconds(80))
        }
    }

    private func planNext() {
        later(world.plan.mishapEvery) {
            self.strike()
            self.planNext()
        }
    }

    private func later(_ wait: ClosedRange<Duration>, _ action: @escaping @MainActor () -> Void) {
        agenda.plan(after: world.random.moment(wait)) { if self.isOn { action() } }
    }

    private func strike() {
        guard let device = world.random.pick(world.devices) else { return }
        guard let life = device.life else { return }
        let line = life.line
        // A failing disk has to meet the few moments at which nothing else asks again.
        if world.plan.blows.hitDisks, world.random.happens(200) { return breakDisk(device) }
        switch world.random.below(17) {
        case 0, 1: hit(.cut, device) { line.cut() }
        case 2: hit(.offline, device) { self.takeOffline(line) }
        case 3: hit(.halfOpen, device) { self.silence(line) }
        case 4: hit(.lostFeed, device) { for link in line.links { link.loseFeed() } }
        case 5: hit(.serverRestart, device) { self.restartServer() }
        case 6: hit(.signedOut, device) { self.endSession(device) }
        case 7: hit(.clockJump, device) { self.setClock(device) }
        case 8: hit(.slowness, device) { self.slowDown(line) }
        case 9, 10, 11: killSoon(device)
        case 12: hit(.quit, device) { self.end(device) { device.quit() } }
        case 13: hit(.wake, device) { self.wake(life) }
        case 14: if world.plan.blows.removeMessages { removeMessage() }
        case 15: if world.plan.blows.moveMembers { moveMember() }
        default: for device in self.world.devices where device.life != nil { killSoon(device) }
        }
    }

    private func hit(_ fault: Fault, _ device: Device, _ blow: () -> Void) {
        world.count(fault)
        world.trace("\(device.name): \(fault.rawValue)")
        blow()
    }

    /// Whatever life has it meanwhile.
    private func breakDisk(_ device: Device) {
        let isFull = world.random.happens(400)
        let often = world.random.pick([5, 50, 300, 1_000]) ?? 50
        hit(isFull ? .diskFull : .diskError, device) {
            device.breakDisk(FaultyDisks.Trouble(perMille: often, isFull: isFull))
        }
        later(.milliseconds(10)...(.seconds(20))) { device.mendDisk() }
    }

    /// One whose writer knows that it arrived: nobody sends it again.
    private func removeMessage() {
        guard let room = world.random.pick(world.rooms) else { return }
        let messages = world.server.messages(in: room).filter { message in
            let writer = world.devices.first { $0.typed.contains { $0.id == message.id } }
            return writer?.sights.isConfirmed(message.id)
                ?? world.distant.contains { $0.id == message.senderID }
        }
        guard let message = world.random.pick(messages) else { return }
        world.count(.removedMessage)
        world.trace("\(message.short) is removed outright")
        world.server.remove(message.id, in: room)
    }

    private func moveMember() {
        let people = world.devices.map(\.person) + world.distant
        guard let room = world.random.pick(world.rooms), let person = world.random.pick(people) else {
            return
        }
        let isIn = world.server.isMember(person.id, of: room)
        world.count(isIn ? .memberOut : .memberIn)
        world.trace("\(person.username) is \(isIn ? "taken out of" : "put into") a conversation")
        isIn ? world.server.takeOut(person.id, of: room) : world.server.put(person.id, into: room)
    }

    private func takeOffline(_ line: Line) {
        line.condition = .down
        line.cut(because: .unreachable)
        later(.seconds(1)...(.seconds(60))) { line.recover() }
    }

    private func silence(_ line: Line) {
        line.fallSilent()
        later(.seconds(1)...(.seconds(60))) { line.recover() }
    }

    private func restartServer() {
        world.serverIsDown = true
        for device in world.devices { device.life?.line.cut(because: .serverUnavailable) }
        later(.milliseconds(10)...(.seconds(20))) { self.world.serverIsDown = false }
    }

    private func endSession(_ device: Device) {
        device.isSignedOut = true
        for link in device.life?.line.links ?? [] { link.end(because: .signedOut) }
        later(.seconds(1)...(.seconds(30))) {
            device.isSignedOut = false
            device.life.map { self.wake($0) }
        }
    }

    private func setClock(_ device: Device) {
        let error = world.random.moment(.seconds(0)...(.seconds(7_200))) - .seconds(3_600)
        if world.random.happens(300) {
            world.server.clockError = error
        } else {
            device.clockError = error
            device.life?.clock.set(wrongBy: error)
        }
    }

    private func slowDown(_ line: Line) {
        let usual = line.latency
        line.latency = .milliseconds(500)...(.seconds(8))
        later(.seconds(1)...(.seconds(30))) { line.latency = usual }
    }

    private func wake(_ life: Life) {
        let engine = life.engine
        life.backend.hasNewStart()
        Task { await engine.wakeUp() }
    }

    /// At any of the next steps, whatever they are.
    private func killSoon(_ device: Device) {
        later(.zero...(.milliseconds(world.random.happens(500) ? 3 : 400))) {
            guard device.life != nil else { return }
            self.hit(.killed, device) { self.end(device) { device.kill() } }
        }
    }

    private func end(_ device: Device, _ ending: () -> Void) {
        ending()
        startAgain(device)
    }

    private func startAgain(_ device: Device) {
        later(.milliseconds(50)...(.seconds(10))) {
            if device.isOff { device.start() } else { self.startAgain(device) }
        }
    }
}
