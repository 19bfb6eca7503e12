import FoundationEssentials
import Models
import Sync

extension AppModel {
    /// Opens what lies over the panes for an action.
    func openPlace(for action: Action) {
        switch action {
        case .switcher: push(.switcher(SwitcherViewModel(rows: list.state.rows)))
        case .newConversation: openPeople(.newConversation)
        case .invite: openInvite()
        case .members: if thread != nil { push(.page(.members, scrolled: 0)) }
        case .info:
            if let message = thread?.state.selectedMessage { push(.page(.info(message.id), scrolled: 0)) }
        case .react: openReaction()
        case .outbox: openOutbox()
        case .addAccount: openSignInAgain()
        case .signOut: askToSignOut()
        case .accounts: push(.page(.accounts, scrolled: 0))
        default: break
        }
    }

    // MARK: People

    /// - Parameter find: A name to search for at once.
    func openPeople(_ purpose: PeopleViewModel.Purpose, find: String? = nil) {
        let entries: [AccountEntry]
        var known = Set(accounts.compactMap { $0.profile?.id })
        switch purpose {
        case .newConversation: entries = accounts
        case .invite(let ref, _):
            entries = accounts.filter { $0.id == ref.account }
            known.formUnion(thread?.state.members.filter { !$0.hasLeft }.map(\.id) ?? [])
        }
        guard !entries.isEmpty else {
            openSignIn()
            return
        }
        let form = PeopleViewModel(
            purpose, accounts: entries.map { (label(of: $0), $0.account.service) }, known: known, time: time
        ) { [weak self] ref in self?.takePeople(ref, purpose) }
        push(.people(form))
        if let find { form.find(find) }
    }

    func openInvite(find: String? = nil) {
        guard let thread, let ref = state.open, thread.state.conversation.isGroup else {
            show(Notice("People can be added to a group.", next: "Start a new one with those you want."))
            return
        }
        openPeople(.invite(ref, thread.state.conversation.title), find: find)
    }

    private func takePeople(_ ref: ConversationRef, _ purpose: PeopleViewModel.Purpose) {
        pop()
        switch purpose {
        case .invite: show(Notice("Added.", tone: .good))
        case .newConversation:
            // The list may hear of it a moment later.
            if list.row(ref) != nil { open(ref) } else { expected = ref }
        }
    }

    // MARK: Accounts

    /// The page with the ways to begin, for a screen without an account.
    /// - Parameter trouble: Why the account there is cannot be opened.
    package func showFirstRun(because trouble: UserCopy? = nil) {
        push(
            .firstRun(
                FirstRunViewModel(
                    door: door, trouble: trouble, onSignIn: { [weak self] in self?.openSignIn() },
                    onDone: { [weak self] account in
                        self?.takeOpened(account)
                        self?.openFirst(of: account.id)
                    })))
    }

    /// Puts the first page away; without an account there is nothing behind it, so the program ends.
    package func leaveFirstRun() {
        pop()
        if accounts.isEmpty { emit(.quit) }
    }

    /// Where an account has lost its session, the form begins with it: only the password is missing.
    private func openSignInAgain() {
        let lost = accounts.first { $0.banner.problem == .signedOut }?.account.facts
        openSignIn(address: lost?.server ?? "", email: lost?.email ?? "")
    }

    /// - Parameters:
    ///   - address: The server to begin with; empty for none.
    ///   - email: Who signs in there; empty when that is to be typed.
    package func openSignIn(address: String = "", email: String = "") {
        push(
            .signIn(
                SignInViewModel(door: door, address: address, email: email) { [weak self] account in
                    self?.takeOpened(account)
                }))
    }

    private func takeOpened(_ account: Account) {
        while !places.isEmpty { pop() }
        add(account)
        setFocus(.list)
    }

    /// Opens the first conversation of an account as soon as there is one, unless the user was quicker.
    package func openFirst(of account: AccountID) {
        guard state.open == nil, places.isEmpty else { return }
        if let row = list.state.rows.first(where: { $0.id.account == account }) {
            open(row.id)
        } else {
            expectedFirst = account
        }
    }

    private func askToSignOut() {
        let id = state.open?.account ?? list.state.selection?.account ?? accounts.first?.id
        guard let id, let index = accounts.firstIndex(where: { $0.id == id }) else { return }
        let waiting = accounts[index].banner.waitingCount
        let detail =
            waiting == 0
            ? "The server keeps your messages." : "Something still waits to be sent."
        let name = state.accountNames.indices.contains(index) ? state.accountNames[index] : "this account"
        ask("Sign out of \(name)?", detail: detail, answers: ["Stay", "Sign out"]) { [weak self] answer in
            if answer == 1 { self?.emit(.signOut(id)) }
        }
    }
}
