"""Pingline's screen as somebody uses it: what to press for what one wants, and what shows that it happened."""

import re

from person import PASSWORD

CONNECTED = r"\bconnected\b"
BANNER = "Reconnecting"
WAITING, SENT, DELIVERED, READ = MARKS = ("○", "✓", "✓✓", "✔✔")


class Client:
    """The program in a terminal. `terminal` is there for everything that is not said here."""

    def __init__(self, terminal):
        self.terminal = terminal

    def sign_up(self, address, name):
        """From the first-run page to an account of one's own."""
        self._open_form()
        self._server(address)
        self.terminal.key("Space")
        self.terminal.wait_text("● am new here")
        self.terminal.key("Enter")
        self._field("E-mail", f"{name}@example.test")
        self._field("User name", name)
        self._field("Shown name", name.capitalize())
        self.fill_password()

    def sign_in(self, address, name):
        """The same with an account that the server knows."""
        self._open_form()
        self._server(address)
        self.terminal.key("Enter")
        self._field("E-mail", f"{name}@example.test")
        self.fill_password()

    def command(self, line):
        """Runs a `:` command, from wherever the focus is."""
        self.terminal.key("Esc")
        self.terminal.wait_idle()  # a lone Esc is known by what does not follow it
        self.terminal.type(":")
        self.terminal.wait_text(r"\n ?:[^\n]*$")
        self.enter(line)

    def enter(self, text):
        """Types and presses Enter once the text is seen: together they might pass for a paste."""
        self.terminal.type(text)
        self.terminal.wait_text(re.escape(text[-12:]))
        self.terminal.key("Enter")

    def start(self, name):
        """Finds somebody by user name and starts a conversation with them."""
        self.command(f"new {name}")
        self.terminal.wait_text(f"@{name}")
        self.terminal.key("Enter")
        self.terminal.wait_text(f"With {name.capitalize()}")
        self.terminal.key("Enter")
        self.wait_open(name.capitalize())

    def open(self, title):
        """Opens the conversation of that name, with the cursor in the composer."""
        self.command(f"go {title}")
        self.wait_open(title)

    def wait_open(self, title):
        """Until the frame of the right pane has the title."""
        self.terminal.wait(lambda: self.terminal.row_of(rf"┐┌ {re.escape(title)}\b"), f"open conversation “{title}”")

    def send(self, text):
        """Types a message and sends it."""
        self.enter(text)

    @property
    def thread(self):
        """The right pane, row under row."""
        return "\n".join(row.split("││", 1)[1] for row in self.terminal.screen.display if "││" in row)

    def wait_mark(self, text, mark, seconds=20):
        """Until the row of one's own message ends in the mark, or in a later one unless it is `WAITING`."""
        marks = "|".join(MARKS[MARKS.index(mark) :] if mark != WAITING else (mark,))
        shown = rf"{re.escape(text)} +({marks}) *│"
        self.terminal.wait(lambda: self.terminal.row_of(shown), f"mark {mark} behind “{text}”", seconds)

    def wait_banner(self):
        self.terminal.wait_text(BANNER)

    def quit(self):
        """Leaves by command; gives the exit status."""
        self.command("quit")
        self.terminal.wait(
            lambda: self.terminal.process.poll() is not None or "Quit Pingline?" in self.terminal.text, "an end"
        )
        if self.terminal.process.poll() is None:
            self.terminal.key("q", "Enter")
        return self.terminal.wait_exit()

    def _open_form(self):
        self.terminal.wait_text("Welcome to Pingline")
        self.terminal.key("Down")
        self.terminal.wait_idle()
        self.terminal.key("Enter")
        self.terminal.wait_text("Sign in to a server")
        self.terminal.wait_idle()
        self.terminal.key("C-u")  # a server of this machine may be suggested

    def _server(self, address):
        self._field("Server", address)
        self.terminal.wait_text("▌ You")

    def _field(self, label, text):
        self.terminal.wait_text(f"▌ {label}")
        self.enter(text)

    def fill_password(self):
        """The last field of the form, and sends it; the password is never seen."""
        self.terminal.wait_text("▌ Password")
        self.terminal.type(PASSWORD)
        self.terminal.wait_idle()
        assert PASSWORD not in self.terminal.text
        self.terminal.key("Enter")
