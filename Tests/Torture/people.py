"""Somebody at a real client, who types, and remembers what they typed."""

import pathlib
import re
import sqlite3

from client import BANNER, CONNECTED, MARKS, Client
from terminal import Terminal, WaitTimeout

ANY_MARK = "|".join(MARKS)


class Typist:
    """One profile, and the client that runs on it now, if any does.

    `kept` are the texts that were on the screen with a mark: the client has them, whatever happens now. `doubtful`
    are those whose Enter may not have been heard: at the end each may be at the server once, or not at all.
    """

    SIZE = (100, 30)

    def __init__(self, binary, name, peer, env):
        self.binary, self.name, self.peer, self.env = binary, name, peer, env
        self.kept, self.doubtful, self.order = [], set(), []
        self.client = None
        self._count = 0

    @property
    def data(self):
        return pathlib.Path(self.env["XDG_DATA_HOME"])

    @property
    def is_running(self):
        return self.client is not None and self.client.terminal.process.poll() is None

    # At the screen

    def sign_up(self, address):
        self.launch()
        self.client.sign_up(address, self.name)
        self.client.terminal.wait_text(CONNECTED)

    def start(self):
        """Starts the client and opens the conversation, with an empty composer."""
        if self.is_running:
            return
        self.launch()
        self.client.terminal.wait_text("Conversations")
        self.client.terminal.wait_text(self.peer.capitalize())
        self.client.open(self.peer.capitalize())
        self.clear()

    def launch(self):
        """Starts the client, whatever it shows then."""
        self.end()
        self.client = Client(Terminal([self.binary], *self.SIZE, env=self.env))

    def clear(self):
        """What a killed client had as a draft is no new message."""
        self.client.terminal.wait_idle()
        self.client.terminal.key("C-u")
        self.client.terminal.wait_idle()

    def type(self):
        """Types a message that nobody typed before. Whatever fails on the way leaves it doubtful."""
        self._count += 1
        text = f"{self.name}-{self._count:05}"
        self.order.append(text)
        self.doubtful.add(text)
        self.client.enter(text)
        shown = rf"{text} +({ANY_MARK}) *│"
        self.client.terminal.wait(lambda: self.client.terminal.row_of(shown), f"“{text}” with a mark", 10)
        self.doubtful.discard(text)
        self.kept.append(text)

    def kill(self):
        if self.is_running:
            self.client.terminal.process.kill()
            self.client.terminal.wait_exit()

    def end(self):
        if self.client:
            self.client.terminal.close()
            self.client = None

    # At the end

    def wait_settled(self, seconds):
        """Until the link stands and nothing waits."""
        terminal = self.client.terminal
        terminal.wait_text(CONNECTED, seconds)
        terminal.wait_gone(BANNER, seconds)
        terminal.wait(lambda: not self._waiting(), "empty outbox", seconds)

    def _waiting(self):
        with self._store() as store:
            return store.execute("SELECT count(*) FROM outbox").fetchone()[0]

    def stored(self):
        """The texts of the conversation in this client's store, in the order of its screen."""
        with self._store() as store:
            rows = store.execute("SELECT position, id, body FROM messages NOT INDEXED").fetchall()
        return [row[2] for row in sorted(rows, key=lambda row: (row[0] is None, row[0], row[1]))]

    def look_back(self, first):
        """Reads the whole thread up to its first text, as one who wants to see what is left.

        Damage in a part of the store that nobody read so far is met now at the latest; the program builds the store
        anew behind the screen, up to three times in a run, and after that everything has come from the server again.
        """
        for _ in range(3):
            before = self._rebuilt()
            self._scroll_to(first, before)
            if self._rebuilt() == before and not (self._folder / "store.damaged").exists():
                return
            self.end()
            self.start()
            self.wait_settled(90)
        raise AssertionError(f"{self.name}'s store is damaged again after each repair")

    def _rebuilt(self):
        """How many damaged stores stand aside."""
        return len(list(self._folder.glob("store.sqlite.damaged-*")))

    def _scroll_to(self, first, rebuilt):
        terminal = self.client.terminal
        terminal.key("Esc")
        for _ in range(200):
            if first in self.client.thread or self._rebuilt() != rebuilt:
                break
            terminal.key("M-Home")
            terminal.wait_idle(quiet=0.1)
        terminal.key("M-End", "i")
        terminal.wait_idle()

    @property
    def _folder(self):
        return next(self.data.glob("pingline/accounts/*"))

    def waiting_texts(self):
        """What the store holds that the server may not have."""
        with self._store() as store:
            rows = store.execute("SELECT body FROM messages WHERE position IS NULL").fetchall()
        return [body for (body,) in rows]

    def _store(self):
        return sqlite3.connect(f"file:{self._folder}/store.sqlite?mode=ro", uri=True)

    def seen(self):
        """The texts on the screen now, from top to bottom."""
        return re.findall(r"[a-z]+-\d{5}", self.client.thread)


def trouble(error):
    """Whether this is what a fault may do to somebody who types."""
    return isinstance(error, (WaitTimeout, OSError))
