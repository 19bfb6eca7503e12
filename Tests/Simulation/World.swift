import FoundationEssentials
import Models
import SQLite
import Store
import Sync

/// One simulated hour of a few people with the program, made of a seed.
final class World {
    let seed: UInt64
    let plan: Plan
    let agenda = Agenda.current
    let server: ModelServer
    let blankDisk: SQLConnection
    /// For everything but the order of jobs, which has numbers of its own.
    var random: SeededRandom
    private(set) var devices: [Device] = []
    /// Members without a device: what they do comes straight from the server.
    private(set) var distant: [Person] = []
    private(set) var rooms: [UUID] = []
    var wishes = Wishes()
    var serverIsDown = false
    /// Whether things still go wrong on purpose.
    private(set) var isTroubled = true
    private(set) var failures: [String] = []
    private(set) var tally = Tally()
    private let tracer: (@MainActor (Duration, String) -> Void)?
    private var ending: [ObjectIdentifier: Device] = [:]
    private var ended: [WeakLife] = []
    private var lastNumber = 0
    private let names: IDSource

    private struct WeakLife {
        weak var engine: AnyObject?
        let name: String
    }

    init(seed: UInt64, tracer: (@MainActor (Duration, String) -> Void)?) throws {
        self.seed = seed
        self.tracer = tracer
        random = SeededRandom(seed: seed)
        plan = Plan(&random)
        names = IDSource(seed: random.next())
        agenda.begin(seed: random.next(), pace: plan.pace)
        FaultyDisks.begin(seed: random.next())
        server = ModelServer(agenda: agenda, pages: plan.pages)
        blankDisk = try Self.blank.get()
        try populate()
    }

    /// A store's file as it is when nothing is in it yet; made once.
    private static let blank: Result<SQLConnection, any Error> = Result {
        let disk = try SQLConnection(.sharedMemory("blank"))
        _ = try MessageStore.inMemory(named: "blank")
        return disk
    }

    private func populate() throws {
        let people = ["ana", "ben", "cleo", "dana", "eve"].map {
            Person(id: names.next(), username: $0, displayName: $0)
        }
        let signedIn = Array(people.prefix(plan.peopleWithDevices))
        distant = Array(people.dropFirst(plan.peopleWithDevices).prefix(plan.distantPeople))
        for person in signedIn + distant { server.add(person) }
        for number in 0..<plan.rooms {
            let id = names.next()
            let members = (signedIn + distant).filter { _ in number == 0 || random.happens(700) }
            guard members.count > 1 else { continue }
            rooms.append(id)
            server.addRoom(id, of: members.map(\.id), title: "room \(number)")
        }
        for number in 0..<plan.devices {
            let person = signedIn[number % signedIn.count]
            let isOnlyOne = !(0..<plan.devices).contains {
                $0 != number && $0 % signedIn.count == number % signedIn.count
            }
            devices.append(
                try Device(
                    world: self, number: number, person: person, isOnlyOne: isOnlyOne,
                    known: Set(rooms.filter { server.isMember(person.id, of: $0) })))
        }
    }

    /// Lives through it.
    /// - Returns: What was wrong, in the order it was found; empty when all was well.
    func run() -> [String] {
        for device in devices { device.start() }
        let habits = Habits(world: self)
        let mishaps = Mishaps(world: self)
        habits.begin(until: plan.length)
        mishaps.begin(until: plan.length)
        advance(to: plan.length)
        isTroubled = false
        mishaps.stop()
        habits.stop()
        Verdict(world: self).reach()
        tally.jobs = agenda.jobCount
        tally.faults[Fault.statementFailed.rawValue] = FaultyDisks.failedCount
        tally.lives = devices.reduce(0) { $0 + $1.lives }
        return failures
    }

    /// Lets everything happen that is due until then.
    func advance(to moment: Duration) {
        while failures.isEmpty, agenda.step(until: moment) {
            if agenda.jobCount > plan.jobLimit { fail("something goes on for ever: \(plan.jobLimit) jobs") }
        }
    }

    func prepare(_ line: Line) {
        line.latency = plan.latency
        line.trouble = isTroubled ? plan.trouble : Line.Trouble()
    }

    /// No other world's.
    func diskName(of device: Int, life: Int) -> String { "disk-\(seed)-\(device)-\(life)" }

    func newID() -> UUID { names.next() }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Ends

    func noteEnd(of life: Life) {
        let (engine, line, device) = (life.engine, life.line, life.device)
        ending[ObjectIdentifier(life)] = device
        ended.append(WeakLife(engine: engine, name: device.name))
        Task {
            await engine.stop()
            line.die()
            self.ending[ObjectIdentifier(life)] = nil
        }
    }

    func isEnding(diskOf device: Device) -> Bool { ending.values.contains { $0 === device } }

    /// Engines that were stopped and are held by a task that goes on.
    var unfinished: [String] { ended.filter { $0.engine != nil }.map(\.name) }

    // MARK: What is told

    func fail(_ words: String) {
        trace("FAILURE \(words)")
        failures.append(words)
    }

    func count(_ fault: Fault) { tally.faults[fault.rawValue, default: 0] += 1 }

    /// Whether a call of the user may fail because of the store; then nothing of it was kept, and that was told.
    func excuse(_ error: ChatError, of life: Life) -> Bool {
        guard case .store = error, life.device.hadBadDisk else { return false }
        trace("\(life.device.name): the disk failed: \(error)")
        agenda.plan(after: .seconds(60)) {
            guard !life.isOver, life.troublesTold == 0 else { return }
            self.fail("\(life.device.name): nobody was told that the disk fails")
        }
        return true
    }

    func countMessage() { tally.messages += 1 }

    func trace(_ words: @autoclosure () -> String) {
        guard let tracer else { return }
        tracer(agenda.now, words())
    }

    /// What holds of every message whenever it is seen.
    func check(_ message: Message, on device: Device) {
        trace("\(device.name): sees \(message.short) \(message.deliveryState) at \(message.position ?? 0)")
        let isAtServer =
            server.has(message.id, in: message.conversationID) || server.removed.contains(message.id)
        if message.position != nil || [.sent, .delivered, .read].contains(message.deliveryState), !isAtServer
        {
            fail("\(device.name): \(message.short) is \(message.deliveryState), and not at the server")
        }
        if message.deliveryState == .failed {
            let typed = device.typed.first { $0.id == message.id || $0.text == message.body }
            if typed?.isBad == false, !device.wasOut(of: message.conversationID) {
                fail("\(device.name): \(message.short) failed, and nobody refused it")
            }
        }
        if message.senderID != device.person.id, !isAtServer {
            fail("\(device.name): \(message.short) comes from nobody")
        }
    }
}
