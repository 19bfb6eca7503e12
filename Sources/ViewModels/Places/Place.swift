/// Something that lies over the panes and gets the keys first.
package enum Place {
    /// The keys of what had the focus when it was opened; rows scrolled up.
    case help(Focus, scrolled: Int)
    case confirm(ConfirmViewModel)
    case commandLine(CommandLineViewModel)
}
