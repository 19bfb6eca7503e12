import FoundationEssentials
import Models
import SQLite
import Store

/// A machine with the program on it: what survives of one life for the next, and what its user has seen.
final class Device {
    unowned let world: World
    let number: Int
    let person: Person
    /// Nobody else is signed in as the same person.
    let isOnlyOne: Bool
    /// Conversations its user has been in.
    private(set) var known: Set<UUID>
    private(set) var life: Life?
    private(set) var lives = 0
    /// Whether the service wants a new sign-in.
    var isSignedOut = false
    var clockError = Duration.zero
    /// What failed may be told after the disk works again.
    private(set) var hadBadDisk = false

    var typed: [Typed] = []
    /// What each composer may hold.
    var drafts: [UUID: Set<String>] = [:]
    var retried: Set<UUID> = []
    var sights = Sights()
    private var disk: SQLConnection
    private(set) var diskName: String

    init(world: World, number: Int, person: Person, isOnlyOne: Bool, known: Set<UUID>) throws(SQLiteError) {
        self.world = world
        self.number = number
        self.person = person
        self.isOnlyOne = isOnlyOne
        self.known = known
        diskName = world.diskName(of: number, life: 0)
        disk = try SQLConnection(.sharedMemory(diskName))
        try world.blankDisk.copy(to: diskName)
    }

    var name: String { "\(person.username)\(number)" }
    /// Conversations its user is in now.
    var rooms: [UUID] { world.rooms.filter { world.server.isMember(person.id, of: $0) } }
    var hasBadDisk: Bool { FaultyDisks.isFaulty(diskName) }

    func getToKnow(_ rooms: [UUID]) { known.formUnion(rooms) }

    /// Whether its user was outside of the conversation for a while.
    func wasOut(of room: UUID) -> Bool {
        world.server.wereOut.contains(Wishes.Place(userID: person.id, room: room))
    }

    func breakDisk(_ trouble: FaultyDisks.Trouble) {
        hadBadDisk = true
        FaultyDisks.set(trouble, on: diskName)
    }
    func mendDisk() { FaultyDisks.set(nil, on: diskName) }

    func start() {
        guard life == nil else { return }
        lives += 1
        world.trace("\(name): starts")
        do throws(StoreError) {
            let store = try MessageStore.inMemory(
                for: person.id, named: diskName, spoolFolder: "/nowhere")
            let life = Life(device: self, store: store, number: lives)
            self.life = life
            life.begin()
        } catch {
            guard hasBadDisk else { return world.fail("\(name): the store does not open: \(error)") }
            world.trace("\(name): the store does not open: \(error)")
            world.agenda.plan(after: .seconds(1)) { if self.isOff { self.start() } }
        }
    }

    /// The process is gone between one step and the next. Its tasks still run, but what they do reaches nobody.
    func kill() {
        guard let life else { return }
        world.trace("\(name): is killed")
        self.life = nil
        do throws(SQLiteError) {
            let nextName = world.diskName(of: number, life: lives)
            let next = try SQLConnection(.sharedMemory(nextName))
            try disk.copy(to: nextName)
            FaultyDisks.move(diskName, to: nextName)
            (disk, diskName) = (next, nextName)
        } catch {
            world.fail("\(name): the disk cannot be read: \(error)")
        }
        life.end(isKilled: true)
    }

    /// The program ends as it should.
    func quit() {
        guard let life else { return }
        world.trace("\(name): quits")
        self.life = nil
        life.end(isKilled: false)
    }

    /// Whether the program has let go of the disk.
    var isOff: Bool { life == nil && !world.isEnding(diskOf: self) }
}

extension SQLConnection {
    /// Copies everything to another database of this process, which is empty.
    func copy(to name: String) throws(SQLiteError) {
        try FaultyDisks.pausing { () throws(SQLiteError) in
            try execute("VACUUM INTO 'file:/\(name)?vfs=memdb'")
        }
    }
}
