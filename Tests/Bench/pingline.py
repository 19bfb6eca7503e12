"""Pingline for the bench: its server, a prepared home to start from, and what only it can do."""

import pathlib
import shutil
import statistics
import tempfile
import time

import swarm
from client import CONNECTED, Client
from irc import text
from measures import marker, typing
from person import Person
from programs import SIZE, environment
from recorder import Recorder
from server import Server


class Prepared:
    """A server with some people, and a home in which ana is signed in. A context."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory(prefix="pingline-bench-")
        self.path = pathlib.Path(self.folder.name)
        self.home = self.path / "ana"
        self.home.mkdir()
        self.server = Server(binary, self.path / "served", environment(self.path), ["--sockets", "600"])
        self.server.start()
        try:
            self._people()
        except BaseException:
            self.__exit__()
            raise

    def _people(self):
        with_screen = Recorder([self.binary], *SIZE, env=environment(self.home))
        ana = Client(with_screen)
        ana.sign_up(self.server.url, "ana")
        with_screen.wait_text(CONNECTED)
        self.ben = Person(self.server, "ben", "Alpha")
        self.cleo = Person(self.server, "cleo", "Beta")
        self.ana_id = self.ben.find("ana")
        self.beta = self.cleo.start([self.ana_id])
        self.alpha = self.ben.start([self.ana_id])
        for person, conversation in ((self.cleo, self.beta), (self.ben, self.alpha)):
            person.send_many(conversation, [text(number) for number in range(150)])
        with_screen.wait_text("Alpha")
        for title in ("Beta", "Alpha"):
            ana.open(title)
            with_screen.quiet(0.5)
        ana.quit()
        with_screen.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()
        self.folder.cleanup()


class Pingline:
    """A running client on a copy of the prepared home; the same face as the other programs."""

    name = "pingline"
    ready = r"Conversations"
    online = CONNECTED
    forth, back = "M-2", "M-1"
    page_up, page_down = "PageUp", "PageDown"

    def __init__(self, prepared, link=None, home=None):
        self.prepared = prepared
        self.folder = tempfile.TemporaryDirectory(prefix="pingline-bench-")
        home = shutil.copytree(home or prepared.home, pathlib.Path(self.folder.name, "home"))
        self.terminal = Recorder([prepared.binary], *SIZE, env=environment(home), link=link)
        self.terminal.wait_text(self.ready)
        self.terminal.wait_text(self.online)
        self.terminal.quiet(0.3)

    def enter(self):
        Client(self.terminal).open("Alpha")
        self.terminal.quiet(0.3)

    def burst(self, count, last):
        """Rows in batches: what is measured is the client."""
        texts = [text(number) for number in range(count - 1)] + [last]
        began = time.monotonic()
        self.prepared.ben.send_many(self.prepared.alpha, texts)
        return began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.close()
        self.folder.cleanup()


class Big:
    """A home whose store holds 100 000 messages of one conversation. A context."""

    COUNT = 100_000

    def __init__(self, prepared):
        self.prepared = prepared
        with Pingline(prepared) as peer:
            peer.enter()
            for done in range(0, self.COUNT, 10_000):
                last = marker()
                mark = peer.terminal.mark()
                peer.burst(10_000, last)
                peer.terminal.wait_bytes(last.encode(), mark, 120)
            peer.terminal.quiet(1.0)
            peer.terminal.wait_idle()
            Client(peer.terminal).quit()
            self.home = pathlib.Path(tempfile.mkdtemp(prefix="pingline-bench-"))
            shutil.copytree(pathlib.Path(peer.folder.name, "home"), self.home, dirs_exist_ok=True)

    def measure(self):
        with Pingline(self.prepared, home=self.home) as peer:
            terminal = peer.terminal
            rows = {
                "100 000 stored: start to first full screen, ms": terminal.first_time(peer.ready) - terminal.started,
                "100 000 stored: start to connected, ms": terminal.first_time(peer.online) - terminal.started,
            }
            rows = {row: seconds * 1e3 for row, seconds in rows.items()}
            peer.enter()
            opened = terminal.press(peer.forth), terminal.press(peer.back)
            rows["100 000 stored: open the thread, ms"] = opened[1][1] * 1e3
            rows |= {f"100 000 stored: {row}": figure for row, figure in typing(peer).items()}
            for _ in range(200):
                terminal.press(peer.page_up, quiet=0.01)
            rows["100 000 stored: memory after 200 pages, MB"] = terminal.status("VmRSS") / 1024
            return rows

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.home)


def serving(prepared):
    """What the server alone does, and the way from one screen to another."""
    port, ben, alpha = prepared.server.port, prepared.ben, prepared.alpha
    rows = swarm.fan_out(port, ben, alpha, sockets=500, messages=20)
    rows |= swarm.stored_per_second(port, ben, alpha, connections=16, messages=3000)
    return rows | screen_to_screen(prepared)


def screen_to_screen(prepared):
    """From Enter on one screen to the text on the other, both in the conversation."""
    with Pingline(prepared) as ana, Pingline(prepared, home=second_home(prepared)) as dora:
        times = []
        Client(ana.terminal).start("dora")
        Client(ana.terminal).send("hello")
        dora.terminal.wait_text("hello")
        Client(dora.terminal).open("Ana")
        for _ in range(20):
            word = marker()
            ana.terminal.type(word)
            ana.terminal.quiet(0.1)
            mark = dora.terminal.mark()
            began = time.monotonic()
            ana.terminal.key("Enter")
            times.append(dora.terminal.wait_bytes(word.encode(), mark, 10) - began)
            ana.terminal.quiet(0.1)
        return {"send to shown on another screen, ms": statistics.median(times) * 1e3}


def second_home(prepared):
    """A home in which dora is signed in; made once."""
    home = prepared.path / "dora"
    if not home.exists():
        home.mkdir()
        with Recorder([prepared.binary], *SIZE, env=environment(home)) as terminal:
            dora = Client(terminal)
            dora.sign_up(prepared.server.url, "dora")
            terminal.wait_text(CONNECTED)
            dora.quit()
    return home
