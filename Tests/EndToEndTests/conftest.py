"""What every end-to-end test stands on: the program, private directories, and nothing left running."""

import fcntl
import os
import pathlib
import select
import signal
import tempfile
import uuid

import pytest

from client import CONNECTED, Client
from faultproxy import FaultProxy
from server import Server
from terminal import Terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "PINGLINE_END_TO_END"  # an environment variable that tells our processes from all others


@pytest.fixture(scope="session")
def binary():
    """The program under test: that of the debug build, or `PINGLINE_BINARY`."""
    path = pathlib.Path(os.environ.get("PINGLINE_BINARY", ROOT / ".build/debug/pingline"))
    assert path.exists(), f"{path} is not there: run `make e2e`, which builds it"
    return str(path)


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: changes the machine for every program on it, so no other test may run")


@pytest.fixture(autouse=True)
def company(request):
    """Tests run side by side in several processes; one that is marked `alone` waits until no other runs."""
    with open(pathlib.Path(tempfile.gettempdir()) / f"pingline-end-to-end-{os.getuid()}", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if request.node.get_closest_marker("alone") else fcntl.LOCK_SH)
        yield


@pytest.fixture
def mark(company):
    """Ends with a look for processes that the test left behind, through whatever parents."""
    value = uuid.uuid4().hex
    yield value
    left = [(pid, command) for pid, command in processes_with(value) if not ends(pid)]
    for pid, _ in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"left running: {left}"


@pytest.fixture
def surroundings(tmp_path, mark):
    """Makes the environment of one person's program: private directories, a fixed locale, clock and terminal."""

    def make(name, **changes):
        home = tmp_path / name
        for part in ("config", "data", "state", "cache", "runtime"):
            (home / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        env = {
            "PATH": os.environ["PATH"], "HOME": str(home), "USER": name, "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "TZ": "UTC", MARK: mark, "XDG_RUNTIME_DIR": str(home / "runtime"),
        }  # fmt: skip
        env |= {f"XDG_{part.upper()}_HOME": str(home / part) for part in ("config", "data", "state", "cache")}
        return {name: value for name, value in (env | changes).items() if value is not None}

    return make


@pytest.fixture
def terminal(surroundings):
    """Opens terminals; they and their programs end with the test."""
    opened = []

    def start(argv, name="ana", columns=100, rows=30, env=None, **options):
        opened.append(Terminal(argv, columns, rows, env=surroundings(name, **(env or {})), **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def server(binary, surroundings, tmp_path):
    """A running server with no people."""
    one = Server(binary, tmp_path / "served", surroundings("server"))
    one.start()
    yield one
    one.close()


@pytest.fixture
def client_of(terminal, binary):
    """Starts the program for somebody; with an address it signs up there first."""

    def start(name, address=None, program=binary, **options):
        client = Client(terminal([program], name=name, **options))
        if address:
            client.sign_up(address, name)
            client.terminal.wait_text(CONNECTED)
        return client

    return start


@pytest.fixture
def proxy(server):
    """A proxy in front of the server, letting everything through at first."""
    one = FaultProxy(server.port)
    yield one
    one.close()


def processes_with(value):
    """Living processes that have the value in their environment, with their command lines."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if f"{MARK}={value}".encode() in (entry / "environ").read_bytes():
                found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            continue  # it ended meanwhile, or is not ours to look at
    return found


def ends(pid, seconds=5.0):
    """Whether the process has ended within the time: one whose terminal was just closed needs a moment."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)
