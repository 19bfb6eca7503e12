import FoundationEssentials
import Models
import Sync

/// What is told: by the services to the user, and by the model to the program around it.
extension AppModel {
    func take(_ notice: ServiceNotice, of entry: AccountEntry) {
        switch notice {
        case .backOnline(let sent, let received): entry.banner.backOnline(sent: sent, received: received)
        // The banner says the same for as long as it lasts; a notice that is there may say why.
        case .signedOut: if state.notice == nil { show(Notice(LinkProblem.signedOut.userCopy)) }
        case .changeRefused(let error, let keepsText):
            // The words of a message that failed fit, but for what to do.
            let next = keepsText ? "What you typed is in the outbox." : error.userCopy.next
            show(Notice(error.userCopy.what, next: next, tone: .bad))
        case .storeTrouble(.damaged) where mayMend(entry): emit(.mend(entry.id))
        case .storeTrouble(let error): show(Notice(error.userCopy))
        case .incoming(let message):
            let ref = ConversationRef(account: entry.id, id: message.conversationID)
            if !(isWatchingThread && state.open == ref) { emit(.alert(ref, message)) }
        }
    }

    /// Whether a damaged store is worth building anew now: on a disk that damages each of them it is not.
    private func mayMend(_ entry: AccountEntry) -> Bool {
        guard entry.account.isKept, mendings[entry.id, default: 0] < Self.mendingLimit else { return false }
        mendings[entry.id, default: 0] += 1
        return true
    }

    /// Shows a line of words for a while.
    package func show(_ notice: Notice) {
        state.notice = notice
        noticeTask?.cancel()
        noticeTask = Task { [weak self, time] in
            do { try await time.sleep(Self.noticeTime) } catch { return }
            self?.dropNotice()
        }
    }

    package func dropNotice() {
        noticeTask?.cancel()
        noticeTask = nil
        if state.notice != nil { state.notice = nil }
    }

    /// What is written while there is no link waits; in an account that keeps nothing that is no promise.
    func warnIfNotKept(_ id: AccountID) {
        guard let entry = entry(id), !entry.account.isKept, entry.banner.status != .connected else { return }
        show(
            Notice(
                "Kept in memory only, until it is sent.", next: "Quitting before that loses it.", tone: .bad))
    }

    func emit(_ intent: AppIntent) { intentSink.yield(intent) }
}
