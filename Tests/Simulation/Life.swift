import FoundationEssentials
import Models
import Store
import Sync

/// One run of the program on a device, from its start to its end.
final class Life {
    let device: Device
    let line: Line
    let backend: SimulatedBackend
    let store: MessageStore
    let engine: SyncEngine
    let clock: SimulatedClock
    private(set) var isOver = false
    private(set) var screens: [UUID: Screen] = [:]
    private(set) var list: [Conversation] = []
    private(set) var status = ConnectionStatus.disconnected
    private(set) var detail = LinkDetail()
    private var followers: [Task<Void, Never>] = []
    /// The user does one thing at a time: with the composer, and with everything else.
    var isComposing = false
    var isBusy = false
    /// How often it was told that the store fails.
    private(set) var troublesTold = 0

    private var world: World { device.world }

    init(device: Device, store: MessageStore, number: Int) {
        let world = device.world
        self.device = device
        self.store = store
        line = Line(world: world, name: device.name)
        world.prepare(line)
        backend = SimulatedBackend(userID: device.person.id, line: line, device: device)
        clock = SimulatedClock(
            agenda: world.agenda, before: world.random.moment(.seconds(1)...(.seconds(100_000))),
            error: device.clockError)
        let names = IDSource(seed: world.random.next())
        engine = SyncEngine(
            account: AccountID(rawValue: device.person.id), store: store, backend: backend, clock: clock,
            generator: SeededRandom(seed: world.random.next()), makeID: { names.next() })
    }

    func begin() {
        let engine = engine
        let notices = engine.notices()
        followers = [
            Task { await engine.start() },
            Task { [weak self] in
                for await list in engine.conversations() { self?.take(list) }
            },
            Task { [weak self] in
                for await status in engine.connectionStatus() { self?.status = status }
            },
            Task { [weak self] in
                for await case .storeTrouble(let error) in notices { self?.take(error) }
            },
            Task { [weak self] in
                for await detail in engine.linkDetail() { self?.detail = detail }
            },
        ]
    }

    /// What the process does from now on is seen by nobody, and reaches nobody either when it is killed: then the
    /// engine is stopped only to give back its memory.
    func end(isKilled: Bool) {
        isOver = true
        if isKilled { line.die() }
        for screen in screens.values { screen.close() }
        screens = [:]
        for follower in followers { follower.cancel() }
        world.noteEnd(of: self)
    }

    func open(_ room: UUID) {
        guard screens[room] == nil else { return }
        let screen = Screen(life: self, room: room)
        screens[room] = screen
        screen.open()
    }

    func close(_ room: UUID) { screens.removeValue(forKey: room)?.close() }

    private func take(_ trouble: StoreError) {
        troublesTold += 1
        world.trace("\(device.name): is told that \(trouble)")
    }

    private func take(_ list: [Conversation]) {
        guard !isOver else { return }
        self.list = list
        device.getToKnow(list.map(\.id))
        for row in list {
            if let wrong = device.sights.see(row) { world.fail("\(device.name): \(wrong)") }
        }
    }
}
