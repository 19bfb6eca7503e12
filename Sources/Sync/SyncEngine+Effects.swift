import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

extension SyncEngine {
    static let pageSize = 100

    func perform(_ effect: SyncEffect) {
        switch effect {
        case .connect, .closeLink, .markConnecting, .markConnected, .markDisconnected, .reconnect:
            performLink(effect)
        case .forgetFetches: fetchEpoch += 1
        case .fetchHeads, .fetchChanges, .fetchNewest, .fetchMembers, .checkMembership:
            performFetch(effect)
        case .keepFirstPage, .keepNewestPage, .keepChanges, .completeCatchUp: performKeep(effect)
        case .findWaiting: run { await $0.findWaiting() }
        case .deliver(let id): run { await $0.deliver(id) }
        case .checkLink: run { await $0.backend.checkLink() }
        case .hold(let ids): channels.hold(ids)
        case .sendTyping(let id, let isTyping):
            run { await $0.backend.setTyping(isTyping, in: id) }
        case .showTyping(let id, let people):
            threads[id]?.typing = people.filter { $0 != backend.userID }
        case .showPresence(let id, let people): threads[id]?.present = people
        case .tellSignedOut: noticeStreams.send(.signedOut)
        case .tellBackOnline: run { await $0.tellBackOnline() }
        }
    }

    private func performLink(_ effect: SyncEffect) {
        switch effect {
        case .connect: connect()
        case .closeLink:
            linkNumber += 1
            linkTask?.cancel()
            linkTask = nil
        case .markConnecting: linkMarks.add { [connection] in await connection.markConnecting() }
        case .markConnected:
            linkMarks.add { [connection] in await connection.markConnected() }
            tellOutbox()
        case .markDisconnected(let problem, let attempt):
            log.info("link down", ["attempt": .count(attempt)])
            // What goes out from here on is what the next "back online" tells.
            arrivals = 0
            run { _ = await $0.outbox.takeDoneCount() }
            linkMarks.add { [connection] in
                await connection.markDisconnected(because: problem, attempt: attempt)
            }
            tellOutbox()
        case .reconnect(let delay): countDown(delay)
        default: break
        }
    }

    private func countDown(_ delay: Duration) {
        retryTask?.cancel()
        let (marked, continuation) = AsyncStream<Void>.makeStream()
        linkMarks.add { continuation.finish() }
        retryTask = Task { [weak self, connection] in
            for await _ in marked {}  // until the link was marked as down
            guard await connection.reconnect(after: delay) else { return }
            await self?.receive(.retryDue)
        }
    }

    private func connect() {
        retryTask?.cancel()
        retryTask = nil
        linkNumber += 1
        let number = linkNumber
        linkTask?.cancel()
        linkTask = Task { [backend, inbox] in await Self.follow(backend, link: number, into: inbox) }
    }

    /// Reads the link on no actor: each event only goes into the inbox.
    @concurrent
    private static func follow(_ backend: any ChatBackend, link: Int, into inbox: EngineInbox) async {
        do throws(BackendError) {
            let events = try await backend.connect()
            inbox.add(.opened, link: link)
            var hasEnded = false
            for await event in events {
                if case .ended = event { hasEnded = true }
                inbox.add(.news(event), link: link)
            }
            if !hasEnded { inbox.add(.news(.ended(.lost)), link: link) }
        } catch {
            inbox.add(.failed(error), link: link)
        }
    }

    /// Runs a fetch whose answer is only worth something as long as the link it began under.
    private func fetch(
        _ work: @escaping @Sendable (isolated SyncEngine) async throws(BackendError) -> SyncEvent?,
        onFailure: @escaping @Sendable (BackendError) -> SyncEvent?
    ) {
        let epoch = fetchEpoch
        run { engine in
            let event: SyncEvent?
            do throws(BackendError) {
                event = try await work(engine)
            } catch {
                engine.log.info("fetch failed", ["transient": .flag(error.isTransient)])
                event = onFailure(error)
            }
            guard engine.fetchEpoch == epoch, let event else { return }
            engine.receive(event)
        }
    }

    private func performFetch(_ effect: SyncEffect) {
        switch effect {
        case .fetchHeads(let anchor):
            fetch { (engine) async throws(BackendError) in
                let heads = try await engine.backend.conversations(before: anchor)
                return await engine.keep(heads)
            } onFailure: {
                .headsFailed($0)
            }
        case .fetchChanges(let id, let cursor, let page):
            fetch { (engine) async throws(BackendError) in
                .changes(id, try await engine.backend.changes(in: id, after: cursor, page: page))
            } onFailure: {
                .jobFailed(id, $0)
            }
        case .fetchNewest(let id):
            fetch { (engine) async throws(BackendError) in
                .newest(id, try await engine.backend.history(of: id, before: nil, limit: Self.pageSize))
            } onFailure: {
                .jobFailed(id, $0)
            }
        case .fetchMembers(let id):
            fetch { (engine) async throws(BackendError) in
                await engine.keep(try await engine.backend.members(of: id), of: id)
                return nil
            } onFailure: { _ in
                nil
            }
        case .checkMembership(let id):
            run { await $0.checkMembership(of: id) }
        default: break
        }
    }

    private func keep(_ heads: [ConversationHead]) async -> SyncEvent {
        do throws(StoreError) {
            let cursors = try await store.keep(heads.map(\.conversation))
            return .heads(heads, cursors: cursors.mapValues { SyncCursor($0) })
        } catch {
            tellTrouble(error)
            return .headsFailed(.timedOut)
        }
    }

    func keep(_ members: [Member], of id: UUID) async {
        do throws(StoreError) { try await store.replaceMembers(of: id, with: members) } catch {
            tellTrouble(error)
        }
    }

    /// A conversation that is missing from the list was left, unless it only moved while the list was read.
    private func checkMembership(of id: UUID) async {
        do throws(BackendError) {
            let members = try await backend.members(of: id)
            let isIn = members.contains { $0.id == backend.userID && !$0.hasLeft }
            guard !isIn else { return }
        } catch {
            guard error == .notFound || error == .notAllowed else { return }
        }
        do throws(StoreError) { try await store.markLeft([id]) } catch { tellTrouble(error) }
    }

    private func performKeep(_ effect: SyncEffect) {
        let epoch = fetchEpoch
        run { engine in
            guard let (id, result) = await engine.keep(effect) else { return }
            guard engine.fetchEpoch == epoch else { return }
            engine.receive(result ? .kept(id) : .keepFailed(id))
        }
    }

    private func keep(_ effect: SyncEffect) async -> (UUID, Bool)? {
        do throws(StoreError) {
            switch effect {
            case .keepFirstPage(let id, let page, let cursor):
                try await store.keepFirstPage(of: id, IncomingRows(page), cursor: cursor.stored)
                return (id, true)
            case .keepNewestPage(let id, let page):
                try await store.keepNewestPage(of: id, IncomingRows(page))
                return (id, true)
            case .keepChanges(let id, let pages):
                try await store.keepChanges(of: id, IncomingRows(pages))
                return (id, true)
            case .completeCatchUp(let id, let pages, let cursor):
                try await store.completeCatchUp(of: id, IncomingRows(pages), cursor: cursor.stored)
                return (id, true)
            default: return nil
            }
        } catch {
            tellTrouble(error)
            return effect.keptConversation.map { ($0, false) }
        }
    }

    private func findWaiting() async {
        do throws(StoreError) { try await tellWaiting() } catch {
            tellTrouble(error)
            untilStored { (engine) async throws(StoreError) in try await engine.tellWaiting() }
        }
    }

    private func tellWaiting() async throws(StoreError) {
        let asked = await connection.drainOutbox()
        let waiting = try await store.conversationsWaiting()
        receive(.waiting(waiting + asked.filter { !waiting.contains($0) }))
    }

    private func deliver(_ id: UUID) async {
        do throws(StoreError) {
            receive(.delivered(id, try await outbox.deliver(id)))
        } catch {
            tellTrouble(error)
            receive(.delivered(id, .wait(after: .seconds(5), because: .offline)))
        }
        tellOutbox()
    }
}

extension SyncEffect {
    fileprivate var keptConversation: UUID? {
        switch self {
        case .keepFirstPage(let id, _, _), .keepNewestPage(let id, _), .keepChanges(let id, _),
            .completeCatchUp(let id, _, _):
            id
        default: nil
        }
    }
}
