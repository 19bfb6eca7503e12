import FoundationEssentials
import Models
import Sync

/// The accounts of this screen.
extension AppModel {
    /// Opens an account in this screen. The first one names the screen; the others' rows bear their label.
    package func add(_ account: Account) {
        remove(account.id)
        let entry = AccountEntry(account, time: time)
        accounts.append(entry)
        list.add(account.service, label: account.label)
        follow(entry)
        refreshNames()
    }

    /// Goes on with an account that was opened anew. What is open stays open, and what was typed stays where it is;
    /// an account that was not here is added.
    package func replace(_ account: Account) {
        guard let index = accounts.firstIndex(where: { $0.id == account.id }) else { return add(account) }
        let entry = AccountEntry(account, time: time)
        entry.profile = accounts[index].profile
        accounts[index].stop()
        accounts[index] = entry
        memory.forget { $0.account == account.id }
        for (ref, composer) in composers where ref.account == account.id {
            composer.move(to: account.service, account.files)
        }
        reopenThread(of: entry)
        reopenPlaces()
        list.replace(account.service)
        follow(entry)
    }

    private func reopenThread(of entry: AccountEntry) {
        guard let old = thread, old.ref.account == entry.id else { return }
        old.stop()
        mended = old.ref
        let state = old.state
        thread = makeThread(old.ref, of: state.conversation, entry, ThreadMemory.Thread(state))
        thread?.start()
        setFocus(self.state.focus)
    }

    /// Pages over the accounts' services end with them; the outbox comes again.
    private func reopenPlaces() {
        guard let place = places.last else { return }
        switch place {
        case .outbox:
            pop()
            openOutbox()
        case .people: pop()
        case .page, .confirm, .commandLine, .switcher, .reaction, .signIn, .firstRun: break
        }
    }

    private func follow(_ entry: AccountEntry) {
        let service = entry.account.service
        entry.banner.start()
        entry.followers = [
            Task { [weak self] in
                for await person in await service.profile() { self?.take(person, of: entry) }
            },
            Task { [weak self] in
                for await notice in await service.notices() { self?.take(notice, of: entry) }
            },
        ]
    }

    /// Closes an account here. Its rows and its thread go; what was typed is saved by its engine.
    package func remove(_ id: AccountID) {
        guard let index = accounts.firstIndex(where: { $0.id == id }) else { return }
        if state.open?.account == id { closeThread() }
        accounts[index].stop()
        accounts.remove(at: index)
        composers = composers.filter { $0.key.account != id }
        memory.forget { $0.account == id }
        list.remove(id)
        refreshNames()
    }

    func entry(_ id: AccountID?) -> AccountEntry? { accounts.first { $0.id == id } }

    private func take(_ person: Person, of entry: AccountEntry) {
        guard entry.profile != person else { return }
        entry.profile = person
        list.take(ownID: person.id, of: entry.id)
        if state.open?.account == entry.id { thread?.take(ownID: person.id) }
        refreshNames()
    }

    /// The banner to show, and whose it is when there are several accounts.
    package var banner: (state: BannerState, account: String?) {
        let entry = accounts.max { $0.banner.state.weight < $1.banner.state.weight }
        guard let entry, entry.banner.state != .hidden else { return (.hidden, nil) }
        return (entry.banner.state, accounts.count > 1 ? label(of: entry) : nil)
    }

    /// Operations of all accounts that wait to be sent.
    package var waitingCount: Int { accounts.reduce(0) { $0 + $1.banner.waitingCount } }
}
