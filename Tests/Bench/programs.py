"""The programs that are measured: how each is started, fed and driven. All talk to this machine only."""

import os
import pathlib
import subprocess
import sys
import tempfile

from recorder import Recorder

HERE = pathlib.Path(__file__).resolve().parent
SIZE = (120, 40)


def environment(home):
    """A private home and a fixed locale; nothing of the user's own settings."""
    parts = {f"XDG_{part}_HOME": f"{home}/{part.lower()}" for part in ("CONFIG", "DATA", "STATE", "CACHE")}
    runtime = pathlib.Path(home, "runtime")
    runtime.mkdir(mode=0o700, exist_ok=True)
    return parts | {
        "PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC",
        "XDG_RUNTIME_DIR": str(runtime), "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }  # fmt: skip


class IRC:
    """The fake server as a process."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, HERE / "irc.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self.process.stdout.readline())

    def burst(self, channel, count, last):
        """Sends the messages; the monotonic time at which it began."""
        self.process.stdin.write(f"burst {channel} {count} {last}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)


class Peer:
    """A running messenger with its source of messages. A context: it ends with it."""

    ready = online = ""  # what the screen shows when it is painted, and when it is connected
    page_up, page_down = "PageUp", "PageDown"

    def __init__(self, link=None):
        self.home = tempfile.TemporaryDirectory(prefix="pingline-bench-")
        self.irc = IRC()
        argv = self.command(pathlib.Path(self.home.name))
        self.terminal = Recorder(argv, *SIZE, env=environment(self.home.name), link=link)
        self.terminal.wait_text(self.ready)
        self.terminal.wait_text(self.online)
        self.terminal.quiet(0.3)
        self.settled()

    def settled(self):
        """A hook: what the program needs once before it is measured."""

    def burst(self, count, last):
        return self.irc.burst("alpha", count, last)

    def order(self, text):
        """Types a command. Text and Enter go apart: in one read some programs take them for a paste."""
        self.terminal.type(text)
        self.terminal.quiet(0.05)
        self.terminal.key("Enter")
        self.terminal.quiet(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.close()
        self.irc.close()
        self.home.cleanup()


class Weechat(Peer):
    name = "weechat"
    ready = r"\[\d\d:\d\d\] \[\d\]"
    online = r"\[.*irc/bench\].*#(alpha|beta)"
    forth, back = "F6", "F5"

    def command(self, home):
        folder = home / "weechat"
        folder.mkdir()
        (folder / "irc.conf").write_text(
            f'[server]\nbench.addresses = "127.0.0.1/{self.irc.port}"\nbench.autoconnect = on\n'
            'bench.nicks = "bench"\nbench.username = "bench"\nbench.realname = "bench"\n'
        )
        return ["weechat", "-d", str(folder)]

    def enter(self):
        self.order("/buffer #alpha")
        self.terminal.wait_text("topic of alpha")


class Irssi(Peer):
    name = "irssi"
    ready = r"\[\(status\)\]|\[ *\d\d:\d\d\]"
    online = r"Act: |#alpha|Welcome"
    forth, back = "C-n", "C-p"

    def command(self, home):
        return ["irssi", f"--home={home}/irssi", "--connect=127.0.0.1", f"--port={self.irc.port}", "--nick=bench"]

    def settled(self):
        self.order("/clear")

    def enter(self):
        self.order("/window goto #alpha")
        self.terminal.wait_text("topic of alpha")
