import FoundationEssentials
import Models

/// The three stops of Tab.
package enum Focus: Hashable, Sendable, CaseIterable {
    case list, thread, composer
}

/// One line of words at the lower edge, until the next key or until it has been there long enough.
package struct Notice: Hashable, Sendable {
    package enum Tone: Hashable, Sendable { case plain, good, bad }

    package var what: String
    package var next: String?
    package var tone: Tone

    package init(_ what: String, next: String? = nil, tone: Tone = .plain) {
        self.what = what
        self.next = next
        self.tone = tone
    }

    package init(_ copy: UserCopy) { self.init(copy.what, next: copy.next, tone: .bad) }
}

/// What the whole screen knows beside its panes.
package struct AppState: Equatable, Sendable {
    package var focus = Focus.list
    /// The open conversation.
    package var open: ConversationRef?
    package var isListHidden = false
    package var notice: Notice?
    /// Whether the terminal window has the focus, as far as it tells.
    package var isWindowFocused = true
    /// The accounts' own names for the title, in order: `ana@team`.
    package var accountNames: [String] = []

    package init() {}
}

/// What the program around the screen has to do.
package enum AppIntent: Hashable, Sendable {
    /// End the program. Everything is stored already.
    case quit
    /// Paint every cell again.
    case redraw
    /// Give the terminal to the shell until it brings us back.
    case suspend
    /// Let the user edit the text in their own editor, then call `AppModel.takeEdited`.
    case editInEditor(String)
    /// Put text on the clipboard.
    case copy(String)
    /// A message came in that nobody looks at: a bell, a notification.
    case alert(ConversationRef, Message)
    /// Close the account's damaged store, build it anew and open the account on it, then call `AppModel.replace`.
    case mend(AccountID)
    /// Forget the account here: end its session and close its engine.
    case signOut(AccountID)
}
