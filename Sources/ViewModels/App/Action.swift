/// Everything a key or a command can ask for.
package enum Action: Hashable, Sendable {
    // Anywhere
    case nextPane, previousPane
    case nextConversation, previousConversation
    /// By its place in the list; 1 is the first.
    case openPosition(Int)
    case nextUnread, lastConversation, switcher
    case threadPageUp, threadPageDown, threadTop, threadNewest, firstUnread
    case listPageUp, listPageDown
    case redraw, help, toggleList, retryConnection, suspend, interrupt, quit, commandLine
    case focusList, focusThread, focusComposer
    // The list, or any other list of rows
    case down, up, first, last, halfPageDown, halfPageUp
    case open, filter, newConversation, leaveConversation
    case markRead, markUnread
    /// Read becomes unread, and unread read.
    case toggleRead
    // The thread
    case clearSelection
    case reply, edit, delete, deleteForAll, react, copyText, jumpToQuoted, info, invite, members
    // What was not sent
    case outbox, resend, takeBack, drop, resendAll, dropAll
    // Files
    case attach, detach, saveFile, openFile, picture
    // Writing
    case send, editInEditor, recallOlder, recallNewer
    case text(TextCommand)
    // Popups and forms
    case accept, cancel, toggle, nextField, previousField
    // Accounts
    case addAccount, signOut, accounts
}

extension Action {
    /// The name of its `:` command, where the name alone is enough.
    package var command: String {
        switch self {
        case .nextPane: "next-pane"
        case .previousPane: "previous-pane"
        case .nextConversation: "next"
        case .previousConversation: "previous"
        case .openPosition(let place): "open \(place)"
        case .nextUnread: "next-unread"
        case .lastConversation: "back"
        case .switcher: "go"
        case .threadPageUp: "page-up"
        case .threadPageDown: "page-down"
        case .threadTop: "top"
        case .threadNewest: "newest"
        case .firstUnread: "first-unread"
        case .listPageUp: "list-page-up"
        case .listPageDown: "list-page-down"
        case .redraw: "redraw"
        case .help: "help"
        case .toggleList: "toggle-list"
        case .retryConnection: "retry"
        case .suspend: "suspend"
        case .interrupt: "clear"
        case .quit: "quit"
        case .commandLine: "command"
        case .focusList: "focus list"
        case .focusThread: "focus thread"
        case .focusComposer: "focus composer"
        case .down: "down"
        case .up: "up"
        case .first: "first"
        case .last: "last"
        case .halfPageDown: "half-page-down"
        case .halfPageUp: "half-page-up"
        case .open: "open"
        case .filter: "filter"
        case .newConversation: "new"
        case .leaveConversation: "leave"
        case .markRead: "read"
        case .markUnread: "unread"
        case .toggleRead: "toggle-read"
        case .clearSelection: "unselect"
        case .reply: "reply"
        case .edit: "edit"
        case .delete: "delete"
        case .deleteForAll: "delete all"
        case .react: "react"
        case .copyText: "copy"
        case .outbox: "outbox"
        case .resend: "resend"
        case .takeBack: "take-back"
        case .drop: "drop"
        case .resendAll: "resend all"
        case .dropAll: "drop all"
        case .jumpToQuoted: "quoted"
        case .info: "info"
        case .invite: "invite"
        case .members: "members"
        case .attach: "attach"
        case .detach: "detach"
        case .saveFile: "save"
        case .openFile: "open-file"
        case .picture: "picture"
        case .send: "send"
        case .editInEditor: "editor"
        case .recallOlder: "sent-older"
        case .recallNewer: "sent-newer"
        case .text(let command): "text \(command.rawValue)"
        case .accept: "accept"
        case .cancel: "cancel"
        case .toggle: "toggle"
        case .nextField: "next-field"
        case .previousField: "previous-field"
        case .addAccount: "login"
        case .signOut: "logout"
        case .accounts: "accounts"
        }
    }

    /// Its name in `config.toml`: one word, `open-3`, `text-kill-word-back`.
    package var settingName: String {
        command.reduce(into: "") { name, letter in
            if letter.isUppercase { name += "-" }
            name += letter == " " ? "-" : letter.lowercased()
        }
    }

    /// Other names for the same command.
    package static let shortcuts: [String: Action] = [
        "q": .quit, "exit": .quit, "switch": .switcher, "keys": .help, "h": .help, "chat": .newConversation,
        "reconnect": .retryConnection,
    ]

    /// Every action; of `openPosition` the ten that have keys.
    package static let all: [Action] =
        [
            .nextPane, .previousPane, .nextConversation, .previousConversation, .nextUnread,
            .lastConversation,
            .switcher, .threadPageUp, .threadPageDown, .threadTop, .threadNewest, .firstUnread, .listPageUp,
            .listPageDown, .redraw, .help, .toggleList, .retryConnection, .suspend, .interrupt, .quit,
            .commandLine, .focusList, .focusThread, .focusComposer, .down, .up, .first, .last, .halfPageDown,
            .halfPageUp, .open, .filter, .newConversation, .leaveConversation, .markRead, .markUnread,
            .toggleRead, .clearSelection,
            .reply, .edit, .delete, .deleteForAll, .react, .copyText, .jumpToQuoted, .info, .invite, .members,
            .outbox, .resend, .takeBack, .drop, .resendAll, .dropAll, .attach, .detach, .saveFile, .openFile,
            .picture, .send,
            .editInEditor, .recallOlder, .recallNewer, .accept, .cancel, .toggle, .nextField, .previousField,
            .addAccount, .signOut, .accounts,
        ] + TextCommand.allCases.map(Action.text) + (1...10).map(Action.openPosition)

    /// The action a command line names, without its arguments.
    package init?(command line: String) {
        let name = line.split(separator: " ").joined(separator: " ").lowercased()
        if let action = Self.byName[name] {
            self = action
        } else if name.hasPrefix("open "), let place = Int(name.dropFirst(5)), place > 0 {
            self = .openPosition(place)
        } else {
            return nil
        }
    }

    private static let byName: [String: Action] = {
        var names = shortcuts
        for action in all { names[action.command.lowercased()] = action }
        return names
    }()
}
