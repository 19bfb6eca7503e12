import FoundationEssentials

/// Something that lies over the panes and gets the keys first.
package enum Place {
    /// Words to read.
    case page(Page, scrolled: Int)
    case confirm(ConfirmViewModel)
    case commandLine(CommandLineViewModel)
    case switcher(SwitcherViewModel)
    case people(PeopleViewModel)
    case reaction(ReactionViewModel)
    /// What waits to be sent and what failed, of all accounts.
    case outbox(OutboxViewModel)
    case signIn(SignInViewModel)
    case firstRun(FirstRunViewModel)
}

/// A page that is only read.
package enum Page: Hashable, Sendable {
    /// The keys of what had the focus when it was opened.
    case help(Focus)
    /// Everything known of a message of the open thread.
    case info(UUID)
    /// Who is in the open conversation.
    case members
    /// The open accounts and how their links are.
    case accounts
}
