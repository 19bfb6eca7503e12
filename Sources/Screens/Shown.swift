import Models
import ViewModels

/// What the model has to show at this moment.
///
/// Each is read once for a frame: that a value was looked at is noted by its observation, every time, and this costs
/// more than drawing a letter.
@MainActor struct Shown {
    let state: AppState
    let places: [Place]
    let list: ConversationListState
    /// The open thread and whose it is.
    let thread: ThreadState?
    let ref: ConversationRef?
    let composer: ComposerState?
    let banner: (state: BannerState, account: String?)
    /// One for each account.
    let statuses: [ConnectionStatus]

    init(_ model: AppModel) {
        state = model.state
        places = model.places
        list = model.list.state
        let thread = model.thread
        (self.thread, ref) = (thread?.state, thread?.ref)
        composer = model.composer?.state
        banner = model.banner
        statuses = model.accounts.map(\.banner.status)
    }

    var hasCommandLine: Bool {
        if case .commandLine = places.last { true } else { false }
    }
}
