import ViewModels

extension KeyTable {
    /// Every table there is.
    package static let all: [KeyContext: KeyTable] = Dictionary(
        uniqueKeysWithValues: [
            anywhere, list, filter, thread, composer, composerEmpty, composerText, commandLine, confirm, help,
            picker, form, outbox,
        ].map { ($0.context, $0) })

    static let anywhere = KeyTable(
        .anywhere,
        [
            KeyEntry("Tab", does: .nextPane, "next pane"),
            KeyEntry("Shift-Tab", does: .previousPane, "previous pane"),
            KeyEntry("Ctrl-n", "Alt-Down", does: .nextConversation, "next conversation"),
            KeyEntry("Ctrl-p", "Alt-Up", does: .previousConversation, "previous conversation"),
            KeyEntry("Alt-a", does: .nextUnread, "next unread conversation"),
            KeyEntry("Alt-/", does: .lastConversation, "back to the last conversation"),
            KeyEntry("Alt-g", "Ctrl-k", does: .switcher, "go to a conversation by name"),
            KeyEntry("PgUp", does: .threadPageUp, "thread: a page up"),
            KeyEntry("PgDn", does: .threadPageDown, "thread: a page down"),
            KeyEntry("Alt-PgUp", does: .listPageUp, "list: a page up"),
            KeyEntry("Alt-PgDn", does: .listPageDown, "list: a page down"),
            KeyEntry("Alt-Home", does: .threadTop, "thread: the oldest loaded"),
            KeyEntry("Alt-End", does: .threadNewest, "thread: the newest"),
            KeyEntry("Alt-u", does: .firstUnread, "thread: the first unread"),
            KeyEntry("Alt-l", does: .toggleList, "show or hide the list"),
            KeyEntry("Alt-r", does: .retryConnection, "connect now"),
            KeyEntry("Alt-o", does: .outbox, "what waits and what failed"),
            KeyEntry("Ctrl-l", does: .redraw, "paint everything again"),
            KeyEntry("F1", does: .help, "the keys that work here"),
            KeyEntry("Ctrl-z", does: .suspend, "back to the shell for a while"),
            KeyEntry("Ctrl-c", does: .interrupt, "clear the text; when empty, ask to quit"),
        ]
            + (1...10).map { place in
                KeyEntry("Alt-\(place % 10)", does: .openPosition(place), "open conversation \(place)")
            })

    static let list = KeyTable(
        .list,
        [
            KeyEntry("j", "Down", does: .down, "down"),
            KeyEntry("k", "Up", does: .up, "up"),
            KeyEntry("g", "Home", does: .first, "the first"),
            KeyEntry("G", "End", does: .last, "the last"),
            KeyEntry("Ctrl-d", does: .halfPageDown, "half a page down"),
            KeyEntry("Ctrl-u", does: .halfPageUp, "half a page up"),
            KeyEntry("Enter", "l", "Right", does: .open, "open and write"),
            KeyEntry("/", does: .filter, "find by name"),
            KeyEntry("n", does: .down, "next one found"),
            KeyEntry("N", does: .up, "previous one found"),
            KeyEntry("c", does: .newConversation, "new conversation"),
            KeyEntry("u", does: .toggleRead, "mark as read, or as unread"),
            KeyEntry("d d", does: .leaveConversation, "leave, after a question"),
            KeyEntry("i", does: .focusComposer, "write to the open conversation"),
            KeyEntry("Esc", does: .cancel, "drop the filter"),
            KeyEntry(":", does: .commandLine, "command line"),
            KeyEntry("?", does: .help, "the keys that work here"),
            KeyEntry("q", does: .quit, "quit"),
        ])

    static let filter = KeyTable(
        .filter,
        [
            KeyEntry("Enter", does: .accept, "keep the filter"),
            KeyEntry("Esc", "Ctrl-c", does: .cancel, "show all again"),
            KeyEntry("Down", "Ctrl-n", does: .down, "down"),
            KeyEntry("Up", "Ctrl-p", does: .up, "up"),
        ])

    static let thread = KeyTable(
        .thread,
        [
            KeyEntry("j", "Down", does: .down, "next message"),
            KeyEntry("k", "Up", does: .up, "previous message"),
            KeyEntry("g", "Home", does: .threadTop, "the oldest loaded"),
            KeyEntry("G", "End", does: .threadNewest, "the newest"),
            KeyEntry("Ctrl-d", does: .halfPageDown, "half a page down"),
            KeyEntry("Ctrl-u", does: .halfPageUp, "half a page up"),
            KeyEntry("Ctrl-f", does: .threadPageDown, "a page down"),
            KeyEntry("Ctrl-b", does: .threadPageUp, "a page up"),
            KeyEntry("i", "a", "Enter", does: .focusComposer, "write"),
            KeyEntry("r", does: .reply, "reply"),
            KeyEntry("e", does: .edit, "edit your own"),
            KeyEntry("d d", does: .delete, "delete your own, after a question"),
            KeyEntry("+", "x", does: .react, "react"),
            KeyEntry("y", does: .copyText, "copy the text"),
            KeyEntry("s", does: .saveFile, "save the file"),
            KeyEntry("o", does: .openFile, "open the file, after a question"),
            KeyEntry("v", does: .picture, "draw the picture, or put it away"),
            KeyEntry("R", does: .resend, "send a failed one again"),
            KeyEntry("T", does: .takeBack, "take an unsent one back to write on"),
            KeyEntry("'", does: .jumpToQuoted, "go to the quoted message"),
            KeyEntry("I", does: .info, "about this message"),
            KeyEntry("m", does: .members, "who is here"),
            KeyEntry("A", does: .invite, "add people"),
            KeyEntry("h", "Left", "Esc", does: .clearSelection, "back to the list"),
            KeyEntry(":", does: .commandLine, "command line"),
            KeyEntry("?", does: .help, "the keys that work here"),
            KeyEntry("q", does: .quit, "quit"),
        ])

    static let composer = KeyTable(
        .composer,
        [
            KeyEntry("Enter", does: .send, "send"),
            KeyEntry("Alt-Enter", "Ctrl-j", does: .text(.newline), "new line"),
            KeyEntry("Esc", does: .focusThread, "to the thread; the text stays"),
            KeyEntry("Ctrl-a", "Home", does: .text(.lineStart), "start of the line"),
            KeyEntry("Ctrl-e", "End", does: .text(.lineEnd), "end of the line"),
            KeyEntry("Ctrl-b", "Left", does: .text(.left), "left"),
            KeyEntry("Ctrl-f", "Right", does: .text(.right), "right"),
            KeyEntry("Alt-b", "Ctrl-Left", "Alt-Left", does: .text(.wordLeft), "a word left"),
            KeyEntry("Alt-f", "Ctrl-Right", "Alt-Right", does: .text(.wordRight), "a word right"),
            KeyEntry("Down", does: .text(.down), "a line down"),
            KeyEntry("Backspace", does: .text(.deleteBack), "delete left"),
            KeyEntry("Delete", "Ctrl-d", does: .text(.deleteForward), "delete right"),
            KeyEntry("Ctrl-w", does: .text(.killWordBack), "cut back to a blank"),
            KeyEntry("Alt-Backspace", does: .text(.killLettersBack), "cut a word back"),
            KeyEntry("Alt-d", does: .text(.killWordForward), "cut a word forward"),
            KeyEntry("Ctrl-u", does: .text(.killToLineStart), "cut to the start of the line"),
            KeyEntry("Ctrl-y", does: .text(.yank), "put back what was cut"),
            KeyEntry("Alt-y", does: .text(.yankPop), "put back what was cut before it"),
            KeyEntry("Ctrl-t", does: .text(.transpose), "swap two letters"),
            KeyEntry("Ctrl-_", does: .text(.undo), "undo"),
            KeyEntry("Alt-_", does: .text(.redo), "redo"),
            KeyEntry("Alt-p", does: .recallOlder, "what you sent before"),
            KeyEntry("Alt-n", does: .recallNewer, "what you sent after it"),
            KeyEntry("Ctrl-x Ctrl-f", does: .attach, "attach a file"),
            KeyEntry("Alt-e", "Ctrl-x Ctrl-e", does: .editInEditor, "write in your editor"),
        ])

    /// Keys that need text to mean what they do in a shell, and go elsewhere without it.
    static let composerEmpty = KeyTable(
        .composerEmpty,
        [
            KeyEntry("Up", does: .focusThread, "pick the last message"),
            KeyEntry(":", "/", does: .commandLine, "command line"),
        ])

    static let composerText = KeyTable(
        .composerText,
        [
            KeyEntry("Up", "Ctrl-p", does: .text(.up), "a line up"),
            KeyEntry("Ctrl-n", does: .text(.down), "a line down"),
            KeyEntry("Ctrl-k", does: .text(.killToLineEnd), "cut to the end of the line"),
        ])

    static let commandLine = KeyTable(
        .commandLine,
        [
            KeyEntry("Enter", does: .accept, "do it"),
            KeyEntry("Esc", "Ctrl-c", does: .cancel, "never mind"),
            KeyEntry("Tab", does: .nextField, "complete"),
            KeyEntry("Shift-Tab", does: .previousField, "complete, backwards"),
        ])

    static let confirm = KeyTable(
        .confirm,
        [
            KeyEntry("Enter", does: .accept, "choose"),
            KeyEntry("Esc", "Ctrl-c", does: .cancel, "never mind"),
            KeyEntry("Right", "Down", "Tab", "Ctrl-n", does: .down, "next answer"),
            KeyEntry("Left", "Up", "Shift-Tab", "Ctrl-p", does: .up, "previous answer"),
        ])

    static let help = KeyTable(
        .help,
        [
            KeyEntry("Esc", "q", "Enter", "F1", "?", "Ctrl-c", does: .cancel, "close"),
            KeyEntry("j", "Down", "Ctrl-n", does: .down, "down"),
            KeyEntry("k", "Up", "Ctrl-p", does: .up, "up"),
            KeyEntry("PgDn", "Space", "Ctrl-d", does: .halfPageDown, "a page down"),
            KeyEntry("PgUp", "Ctrl-u", does: .halfPageUp, "a page up"),
            KeyEntry("g", "Home", does: .first, "the top"),
            KeyEntry("G", "End", does: .last, "the end"),
        ])

    static let picker = KeyTable(
        .picker,
        [
            KeyEntry("Enter", does: .accept, "choose"),
            KeyEntry("Esc", "Ctrl-c", does: .cancel, "never mind"),
            KeyEntry("Down", "Ctrl-n", does: .down, "down"),
            KeyEntry("Up", "Ctrl-p", does: .up, "up"),
            KeyEntry("Tab", does: .nextField, "next part"),
            KeyEntry("Shift-Tab", does: .previousField, "previous part"),
        ])

    static let form = KeyTable(
        .form,
        [
            KeyEntry("Enter", does: .accept, "next, and at the end do it"),
            KeyEntry("Esc", "Ctrl-c", does: .cancel, "never mind"),
            KeyEntry("Tab", "Down", "Ctrl-n", does: .nextField, "next field"),
            KeyEntry("Shift-Tab", "Up", "Ctrl-p", does: .previousField, "previous field"),
        ])

    static let outbox = KeyTable(
        .outbox,
        [
            KeyEntry("Esc", "q", "Alt-o", "Ctrl-c", does: .cancel, "close"),
            KeyEntry("j", "Down", "Ctrl-n", does: .down, "down"),
            KeyEntry("k", "Up", "Ctrl-p", does: .up, "up"),
            KeyEntry("g", "Home", does: .first, "the first"),
            KeyEntry("G", "End", does: .last, "the last"),
            KeyEntry("Enter", "l", "Right", does: .open, "go to the message"),
            KeyEntry("r", does: .resend, "try it now, or again"),
            KeyEntry("t", does: .takeBack, "take it back to write on"),
            KeyEntry("x", does: .drop, "drop it, after a question"),
            KeyEntry("Space", does: .toggle, "tag it: r and x are for all that are tagged"),
            KeyEntry("R", does: .resendAll, "send all that failed again"),
            KeyEntry("X", does: .dropAll, "drop all that failed, after a question"),
        ])
}
