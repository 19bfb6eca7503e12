import FoundationEssentials
import Models
import Sync
import ViewModels

/// An open thread as somebody sees it: what the engine's streams say, merged as the program's own pane does it.
final class Screen {
    let room: UUID
    private unowned let life: Life
    private(set) var window = MessageWindow()
    private(set) var typing: [UUID] = []
    private(set) var present: Set<UUID> = []
    private(set) var gap: Int64?
    private(set) var hasPage = false
    private var followers: [Task<Void, Never>] = []
    private var loading: Task<Void, Never>?
    private var sights: Sights
    private var isClosed = false

    init(life: Life, room: UUID) {
        self.life = life
        self.room = room
        sights = life.device.sights
    }

    private var device: Device { life.device }

    func open() {
        let (engine, room) = (life.engine, room)
        followers = [
            Task { [weak self] in
                let opened = await engine.openThread(room)
                self?.take(opened.page)
                for await change in opened.changes { self?.take(change) }
            },
            Task { [weak self] in
                for await news in await engine.threadNews(for: room) { self?.take(news) }
            },
        ]
    }

    func close() {
        isClosed = true
        for follower in followers { follower.cancel() }
        loading?.cancel()
    }

    private func take(_ page: [Message]) {
        guard !isClosed else { return }
        hasPage = true
        // The store has at least what any other view has shown.
        sights = device.sights
        for message in page { take(message) }
        loadOlder()
    }

    private func take(_ message: Message) {
        guard !isClosed else { return }
        device.world.check(message, on: device)
        let mayComeBack = device.world.server.removed.contains(message.id) || device.wasOut(of: room)
        let wasRetried = device.retried.contains(message.id)
        let wrong = sights.see(message, wasRetried: wasRetried, mayComeBack: mayComeBack)
        // What a failing disk did not keep was shown from memory, and is known again only when it came once more.
        if let wrong, !device.hadBadDisk {
            device.world.fail("\(device.name): \(wrong)")
        }
        device.sights.note(message)
        if window.merge(message) == .tooOld { loadOlder() }
    }

    private func take(_ change: ThreadChange) {
        guard !isClosed else { return }
        switch change {
        case .message(let message): take(message)
        case .gone(let id): window.remove(id)
        }
    }

    private func take(_ news: ThreadNews) {
        guard !isClosed else { return }
        switch news {
        case .typing(let people): typing = people
        case .present(let people): present = people
        case .gap(let position): gap = position
        }
    }

    /// Scrolls up as far as it goes. What fails now is asked for again by the next scroll.
    func loadOlder() {
        guard loading == nil, window.hasOlder, !isClosed,
            let first = window.messages.first(where: { $0.position != nil })
        else { return }
        let (engine, room) = (life.engine, room)
        loading = Task { [weak self] in
            do throws(ChatError) {
                let page = try await engine.olderMessages(in: room, before: first, limit: 100)
                self?.take(page, before: first.id)
            } catch {
                self?.loading = nil
            }
        }
    }

    private func take(_ page: HistoryPage, before firstID: UUID) {
        loading = nil
        guard !isClosed else { return }
        for message in page.messages { device.world.check(message, on: device) }
        if window.messages.first(where: { $0.position != nil })?.id == firstID {
            window.prepend(page.messages, reachedBeginning: page.reachedBeginning)
            guard !page.messages.isEmpty else { return }
        }
        loadOlder()
    }
}
