import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

extension SyncEngine {
    /// Most rows of one transaction: a longer burst is shown in parts.
    private static let rowsAtOnce = 1_000

    /// Takes what the link said: rows of a burst go into the store together, everything else to the core in order.
    func drainInbox() async {
        while !isStopped {
            let entries = inbox.take()
            guard !entries.isEmpty else { return }
            var rows = IncomingRows()
            // Each message brings a notice of its conversation: the last one, after the rows, says as much.
            var notices: [UUID: SyncCursor?] = [:]
            for entry in entries where entry.link == linkNumber {
                if case .news(.conversation(let id, let cursor)) = entry.event {
                    notices[id] = .some(cursor)
                    continue
                }
                guard !rows.take(entry.event) else {
                    if rows.messages.count >= Self.rowsAtOnce { await keepLive(&rows) }
                    continue
                }
                await keepLive(&rows)
                // The wait may have outlived the link.
                if entry.link == linkNumber { take(entry.event) }
            }
            await keepLive(&rows)
            for (id, cursor) in notices { receive(.conversationNotice(id, cursor)) }
        }
    }

    private func take(_ event: EngineInbox.LinkEvent) {
        switch event {
        case .opened: receive(.linkOpened)
        case .failed(let error): receive(.linkFailed(error))
        case .news(.live):
            log.info("live")
            receive(.live)
            run { await $0.loadProfile() }
        case .news(.feedLost): receive(.feedLost)
        case .news(.ended(let problem)):
            linkNumber += 1
            receive(.linkEnded(problem))
        case .news(.typing(let id, let userID, let isTyping)):
            guard userID != backend.userID else { return }
            receive(.typing(id, userID: userID, isTyping: isTyping))
        case .news(.presence(let id, let people)): receive(.presence(id, people))
        case .news(.message), .news(.messageRemoved), .news(.messageRenamed), .news(.reaction),
            .news(.member),
            .news(.conversation):
            break  // taken before
        }
    }

    private func keepLive(_ rows: inout IncomingRows) async {
        guard !rows.isEmpty else { return }
        let batch = rows
        rows = IncomingRows()
        let touched = Set(batch.messages.map(\.conversationID) + batch.members.map(\.conversationID))
        do throws(StoreError) {
            try await store.merge(batch, unsure: core.unsure(among: touched))
            toldTrouble = nil
        } catch {
            // Shown from memory; the cursor did not move, so they are fetched again. Of a removal nothing else tells.
            tellTrouble(error)
            show(await store.unkept(batch.messages))
            if !batch.removed.isEmpty {
                untilStored { (engine) async throws(StoreError) in
                    try await engine.store.merge(IncomingRows(removed: batch.removed))
                }
            }
            receive(.listDoubted)
            return
        }
        var versions: [UUID: Int64] = [:]
        for message in batch.messages {
            versions[message.conversationID] = max(versions[message.conversationID] ?? .min, message.version)
        }
        receive(.liveRows(versions: versions))
        await lookAtStrangers(in: batch, touched)
    }

    /// A row of a conversation that is not on the list means a new conversation, one of somebody without names a new
    /// member.
    private func lookAtStrangers(in batch: IncomingRows, _ touched: Set<UUID>) async {
        let gone = Set(
            batch.members.filter { $0.hasLeft && $0.userID == backend.userID }.map(\.conversationID))
        if !touched.subtracting(gone).allSatisfy({ list.contains($0) }) { receive(.listDoubted) }
        for member in batch.members where member.userID != backend.userID {
            guard memberStreams[member.conversationID] != nil || threads[member.conversationID] != nil else {
                continue
            }
            do throws(StoreError) {
                if try await store.person(member.userID) == nil {
                    perform(.fetchMembers(member.conversationID))
                }
            } catch {
                tellTrouble(error)
            }
        }
    }
}

extension IncomingRows {
    /// - Returns: Whether the event is a row, which is taken then.
    fileprivate mutating func take(_ event: EngineInbox.LinkEvent) -> Bool {
        switch event {
        case .news(.message(let change)):
            messages.append(change.message)
            reactions += change.reactions?.map { ReactionRow($0) } ?? []
        case .news(.messageRemoved(let id)): removed.append(id)
        case .news(.messageRenamed(let renaming)):
            renamed.append(NameChange(from: renaming.old, to: renaming.new))
        case .news(.reaction(let change)): reactions.append(ReactionRow(change))
        case .news(.member(let change)): members.append(MemberMark(change))
        default: return false
        }
        return true
    }
}
