/// What `pingline --help` and `--version` print.
package enum Help {
    package static let version = "0.1.0"

    package static let text = """
        Pingline, a messenger for the terminal.

        pingline                 Open the screen. Without an account it shows how to begin.
        pingline demo            Try it: people who answer, on a server inside this program.
            --outage 8@20        Cut the link for 8 seconds every 20, to see it come back.
        pingline serve           Run a server for a team on one machine.
            --port 4747          Port to listen on; 0 takes a free one.
            --host 127.0.0.1     Address to listen on; beyond loopback only with --behind-proxy.
            --behind-proxy       A proxy with TLS stands in front.
            --directory FOLDER   Where it keeps its data.
            --token-lifetime S   Seconds until a client has to renew its token (3600).
            --refresh-window S   Seconds in which a spent refresh token is forgiven (10).
            --idle-limit S       Seconds after which a client that says nothing is let go (60).
            --sockets N          Clients connected at once (200).
            --joins-per-second N     Channels all of them together may join in a second (100).
            --messages-per-second N  Typing and presence one of them may send in a second (100).
            --account-files MB   Room for the files of one account (2048).
            --all-files MB       Room for the files of all accounts together (20480).
            --keep-free MB       What files leave free on the disk (256).
            --json               Print the address as JSON.
            --print-schema       Print the tables and rules for a Supabase project, and end.
        pingline login SERVER    Sign in to a server; asks for e-mail address and password.
            --sign-up            Make a new account there.
            --email ADDRESS      Instead of being asked for it.
            --key KEY            The project's publishable key, for a server that does not tell it.
            --label NAME         What to call the account.
            --ca-file FILE       Certificates (PEM) to trust for it besides the system's.
            --allow-http         Also unencrypted to another machine: everybody on the way reads along.
                                 Where standard input is no terminal, each answer is a line of it.
        pingline logout ACCOUNT  Sign out of an account; the messages stay here.
        pingline accounts        List the accounts here.
            --json               As JSON.
        pingline --help          Print this.
        pingline --version       Print the version.

        Exit codes: 0 done, 64 wrong usage, 69 not available, 71 the system refused,
        74 reading or writing failed, 75 not now, 76 not the right server, 77 the server refused,
        78 a setting is wrong.
        """
}

/// The program's exit codes; the numbers follow sysexits.h.
package enum ExitCode: Int32, Sendable {
    case done = 0
    case usage = 64
    case unavailable = 69
    case system = 71
    case inputOutput = 74
    /// Something has to happen first, or time to pass.
    case later = 75
    /// Who answers cannot show to be the server.
    case untrusted = 76
    /// The server did not take the key, the person or the password.
    case refused = 77
    case configuration = 78
}
