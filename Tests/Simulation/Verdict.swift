import Backend
import FoundationEssentials
import Models
import Sync
import ViewModels

/// Lets a world come to rest, then compares what everybody has.
final class Verdict {
    let world: World
    let server: ModelServer
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
        judgeFiles()
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
        pass(.seconds(150))
        // A slow machine with a long queue is given time for as long as the queue gets shorter.
        var before = Int.max
        while world.failures.isEmpty, waiting > 0, waiting < before {
            before = waiting
            pass(.seconds(150))
        }
        judgeUnaided()
        // By the end of the client's round, what the feed lost is known without opening anything.
        pass(.seconds(200))
        judgeCounts()
        for device in world.devices {
            guard let life = device.life else { continue }
            let engine = life.engine
            life.backend.hasNewStart()
            Task { await engine.wakeUp() }
            for room in world.rooms where !device.rooms.contains(room) { life.close(room) }
            for room in device.rooms { life.open(room) }
        }
        pass(.seconds(40))
        scroll()
    }

    /// Operations that wait, everywhere.
    private var waiting: Int { world.devices.reduce(0) { $0 + ($1.life?.detail.waitingCount ?? 0) } }

    /// Nobody presses a key, and all the same nothing stays where it was but what waits for the user.
    private func judgeUnaided() {
        for device in world.devices {
            guard let life = device.life else { continue }
            if life.status == .connected {
                guard life.detail.waitingCount > 0 else { continue }
                world.fail("\(device.name): is connected, and \(life.detail.waitingCount) wait")
            } else if life.detail.reason?.isTransient ?? true {
                world.fail("\(device.name): does not come back by itself")
            }
        }
    }

    /// What nobody has scrolled to is counted by the service alone.
    private func judgeCounts() {
        for device in world.devices where !device.hadBadDisk {
            guard let life = device.life, life.status == .connected else { continue }
            for row in life.list where !isThinned(row.id) && !device.wasOut(of: row.id) {
                let unread = server.unread(of: device.person.id, in: row.id, after: row.readPosition)
                guard row.unreadCount != unread else { continue }
                world.fail(
                    "\(device.name): counts \(row.unreadCount) unread in “\(row.title)”, not \(unread)")
            }
        }
    }

    /// What failed is sent again or given up, as the user likes.
    private func decideFailed() {
        for device in world.devices {
            guard let life = device.life else { continue }
            let failed = life.screens.values.sorted { $0.room < $1.room }.flatMap { $0.window.messages }
                .filter {
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

    // MARK: The end

    /// Drafts are where they were left; then everybody goes, and nothing stays behind.
    private func takeLeave() {
        for device in world.devices {
            guard let engine = device.life?.engine else { continue }
            Task {
                for room in device.known.sorted() {
                    self.drafts[device.number, default: [:]][room] = await engine.draft(in: room)
                }
            }
        }
        pass(.seconds(5))
        for device in world.devices {
            for room in device.known.sorted() {
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
