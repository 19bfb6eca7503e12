import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

extension SyncEngine {
    /// How many stored messages a thread shows at first.
    private static let firstPage = 100

    package nonisolated func profile() -> AsyncStream<Person> { profileStreams.subscribe() }

    package nonisolated func connectionStatus() -> AsyncStream<ConnectionStatus> { connection.statusStream() }
    package nonisolated func linkDetail() -> AsyncStream<LinkDetail> { connection.detailStream() }
    package nonisolated func notices() -> AsyncStream<ServiceNotice> { noticeStreams.subscribe() }
    package nonisolated func transfers() -> AsyncStream<[UUID: TransferProgress]> {
        transfersUnderWay.streams.subscribe()
    }
    package nonisolated func conversations() -> AsyncStream<[Conversation]> { listStreams.subscribe() }

    package func members(of conversationID: UUID) async -> AsyncStream<[Member]> {
        if let known = memberStreams[conversationID] { return known.subscribe() }
        let streams = Broadcast<[Member]>(state: nil) { [weak self] in
            Task { await self?.forgetMembers(of: conversationID) }
        }
        memberStreams[conversationID] = streams
        let stream = streams.subscribe()
        await sendMembers(of: conversationID)
        if core.isConnected { perform(.fetchMembers(conversationID)) }
        return stream
    }

    package func messageStream(for conversationID: UUID) async -> AsyncStream<Message> {
        let (stream, continuation) = AsyncStream<Message>.makeStream()
        let number = subscribe(to: conversationID) { $0.add(.messages(continuation), as: $1) }
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(number, from: conversationID) }
        }
        for message in await page(for: number, of: conversationID) { continuation.yield(message) }
        return stream
    }

    package func openThread(_ conversationID: UUID) async -> OpenThread {
        let (stream, continuation) = AsyncStream<ThreadChange>.makeStream()
        let number = subscribe(to: conversationID) { $0.add(.changes(continuation), as: $1) }
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(number, from: conversationID) }
        }
        return OpenThread(page: await page(for: number, of: conversationID), changes: stream)
    }

    /// The first page of a reader, which gets every change from the moment on at which the page is right.
    private func page(for number: Int, of conversationID: UUID) async -> [Message] {
        do throws(StoreError) { return try await begin(number, of: conversationID) } catch {
            tellTrouble(error)
            untilStored { (engine) async throws(StoreError) in
                let page = try await engine.begin(number, of: conversationID)
                engine.threads[conversationID]?.send(page, to: number)
            }
            return []
        }
    }

    private func begin(_ number: Int, of conversationID: UUID) async throws(StoreError) -> [Message] {
        let gap = try await store.gapAtRevision(in: conversationID)
        threads[conversationID]?.setGap(gap.position, revision: gap.revision)
        let page = try await store.newestPage(in: conversationID, limit: Self.firstPage)
        return threads[conversationID]?.begin(number, with: page) ?? []
    }

    package func threadNews(for conversationID: UUID) async -> AsyncStream<ThreadNews> {
        let (stream, continuation) = AsyncStream<ThreadNews>.makeStream()
        let number = subscribe(to: conversationID) { $0.add(continuation, as: $1) }
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(number, from: conversationID) }
        }
        do throws(StoreError) {
            let gap = try await store.gapAtRevision(in: conversationID)
            threads[conversationID]?.setGap(gap.position, revision: gap.revision)
        } catch {
            tellTrouble(error)
        }
        return stream
    }

    private func subscribe(
        to conversationID: UUID, _ add: (inout ThreadSubscribers, Int) -> Void
    ) -> Int {
        lastSubscriber += 1
        if threads[conversationID] == nil {
            var subscribers = ThreadSubscribers()
            subscribers.typing = core.typing(in: conversationID).filter { $0 != backend.userID }
            subscribers.present = core.presence(in: conversationID)
            threads[conversationID] = subscribers
        }
        add(&threads[conversationID, default: ThreadSubscribers()], lastSubscriber)
        receive(.opened(conversationID))
        return lastSubscriber
    }

    private func unsubscribe(_ number: Int, from conversationID: UUID) {
        threads[conversationID]?.remove(number)
        if threads[conversationID]?.isEmpty == true { threads[conversationID] = nil }
        receive(.closed(conversationID))
    }

    private func forgetMembers(of conversationID: UUID) {
        guard memberStreams[conversationID]?.subscriberCount == 0 else { return }
        memberStreams[conversationID] = nil
    }

    private func sendMembers(of conversationID: UUID) async {
        guard let streams = memberStreams[conversationID] else { return }
        do throws(StoreError) { streams.send(try await store.members(of: conversationID)) } catch {
            tellTrouble(error)
        }
    }

    /// Once in a run; without an answer, at the next link again.
    func loadProfile() async {
        guard !knowsProfile else { return }
        do throws(BackendError) {
            let me = try await backend.ownProfile()
            knowsProfile = true
            profileStreams.send(me)
            try? await store.keep(person: me)  // asked again at the next start
        } catch {
            log.info("no profile", ["transient": .flag(error.isTransient)])
        }
    }

    /// Tells everybody what a transaction changed, in the order of the commits.
    func publish(_ change: StoreChange) async {
        guard !isStopped else { return }
        publishedCount += 1
        toldTrouble = nil
        if let count = change.waitingCount {
            await connection.setWaitingCount(count)
            tellOutbox()
        }
        publishMessages(of: change)
        for (id, position) in change.gaps { threads[id]?.setGap(position, revision: change.revision) }
        for gone in change.dropped {
            threads[gone.conversationID]?.show([.gone(gone.id)], revision: change.revision)
        }
        if !change.vanished.isEmpty {
            let gone = change.vanished.map { ThreadChange.gone($0) }
            for id in Array(threads.keys) { threads[id]?.show(gone, revision: change.revision) }
        }
        if !change.conversations.isEmpty || !change.left.isEmpty {
            let before = list.ids
            list.update(change.conversations, removing: change.left)
            listStreams.send(list.sorted)
            if list.ids != before { receive(.list(list.ids)) }
        }
        for id in change.enqueued { receive(.enqueued(id)) }
        for id in change.members { await sendMembers(of: id) }
        publishedRevision = change.revision
        if let wanted = returnRevision, wanted <= publishedRevision { await tellBackOnline() }
    }

    /// Tells what went and what came, once everything that is stored was counted.
    func tellBackOnline() async {
        let revision = await store.revision
        guard revision <= publishedRevision else {
            returnRevision = revision
            return
        }
        returnRevision = nil
        let sent = await outbox.takeDoneCount()
        noticeStreams.send(.backOnline(sent: sent, received: arrivals))
    }

    private func publishMessages(of change: StoreChange) {
        var byThread: [UUID: [ThreadChange]] = [:]
        for message in change.messages where threads[message.conversationID] != nil {
            byThread[message.conversationID, default: []].append(.message(message))
        }
        for (id, changes) in byThread { threads[id]?.show(changes, revision: change.revision) }
        guard !change.arrivals.isEmpty else { return }
        var senders: [UUID: Set<UUID>] = [:]
        for message in change.messages where change.arrivals.contains(message.id) {
            noticeStreams.send(.incoming(message))
            if let sender = message.senderID { senders[message.conversationID, default: []].insert(sender) }
        }
        arrivals += change.arrivals.count
        // After the message: what is drawn first should be what was waited for.
        receive(.heard(senders))
    }

    /// Shows messages that could not be stored.
    func show(_ messages: [Message]) {
        for message in messages { threads[message.conversationID]?.show([.message(message)], revision: .max) }
    }
}
