"""What goes wrong, and how it is put right again. A fault is a function of the world that gives its own undoing.

Those named in `KILLS` end a process with SIGKILL.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time

PAGE = 4096  # bytes; SQLite's own size, which the stores keep


def kill_client(world):
    """At a random moment of the typing that follows."""
    typist = world.someone()
    process = typist.client.terminal.process
    return _later(world, _end(process)), typist.start


def kill_server(world):
    process = world.server.process
    return _later(world, _end(process)), world.restart_server


def stop_client(world):
    process = world.someone().client.terminal.process
    return _later(world, lambda: process.send_signal(signal.SIGSTOP)), lambda: process.send_signal(signal.SIGCONT)


def stop_server(world):
    process = world.server.process
    return _later(world, lambda: process.send_signal(signal.SIGSTOP)), lambda: process.send_signal(signal.SIGCONT)


def cut(world):
    return _later(world, world.proxy.cut), _nothing


def refuse(world):
    world.proxy.refusing = True
    return _later(world, world.proxy.cut), world.proxy.heal


def go_silent(world):
    world.proxy.silent = True
    return _now, world.proxy.heal


def swallow_answers(world):
    world.proxy.swallow_answer(r"^POST /rest/v1/messages", times=world.random.randint(1, 3))
    return _now, world.proxy.heal


def slow_down(world):
    world.proxy.delay = world.random.uniform(0.02, 0.3)
    return _now, world.proxy.heal


def refuse_service(world):
    status, more = world.random.choice(
        [
            ("503 Service Unavailable", ""),
            ("429 Too Many Requests", "Retry-After: 1\r\n"),
            ("200 OK", "Content-Type: text/html\r\n"),
        ]
    )
    body = "<html><body>Please sign in to the network</body></html>"
    answer = f"HTTP/1.1 {status}\r\n{more}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
    world.proxy.answer(r"/rest/v1/", answer.encode(), times=world.random.randint(1, 6))
    return _now, world.proxy.heal


def fill_disk(world):
    """The client's data are on a small disk of their own."""
    typist = world.someone()
    stuffing = typist.data / "stuffing"

    def fill():
        with contextlib.suppress(OSError), open(stuffing, "wb", buffering=0) as file:
            while file.write(b"\0" * 4096):
                pass

    return _later(world, fill), lambda: stuffing.unlink(missing_ok=True)


def make_read_only(world):
    """A disk is only made read-only while nobody writes to it, so the client is started again on it, and says so."""
    typist = world.someone()
    typist.kill()
    typist.end()
    _remount(typist.data, "ro")
    try:
        typist.launch()
        typist.client.terminal.wait_text(r"(?i)cannot be written|in memory")
        typist.kill()
        typist.end()
    finally:
        _remount(typist.data, "rw")
    return _now, _nothing


def start_twice(world):
    """A second client on the profile of a running one says whose it is, and does nothing else."""
    typist = world.someone()
    world.try_second(typist)
    return _now, _nothing


def damage_store(world):
    """A page of the store turns into noise while the client is not running, as a sector does that a disk loses.

    A few bytes in the middle of a text would be another text: that nobody can tell without the server.
    """
    typist = world.someone()
    typist.kill()
    typist.end()
    path = next(typist.data.glob("pingline/accounts/*/store.sqlite"))
    waiting = typist.waiting_texts()
    with open(path, "r+b") as file:
        pages = path.stat().st_size // PAGE
        file.seek(world.random.randrange(1, max(pages, 2)) * PAGE)
        file.write(world.random.randbytes(PAGE))
    world.forgive(typist, waiting)
    return _now, _nothing


KILLS = {kill_client, kill_server}
OFTEN = [kill_client] * 4 + [kill_server] * 3
SOMETIMES = [stop_client, stop_server, cut, refuse, go_silent, swallow_answers, slow_down, refuse_service, start_twice]
AS_ROOT = [fill_disk, make_read_only]


def _end(process):
    def kill():
        process.kill()
        process.wait()

    return kill


def _now():
    pass


def _nothing():
    pass


def _later(world, deed):
    """Begins while somebody types: after up to half a second, from another thread. Waits for it."""
    delay = world.random.uniform(0, 0.5)
    done = threading.Event()

    def wait_and_do():
        time.sleep(delay)  # the moment is what is random about it
        with contextlib.suppress(ProcessLookupError):
            deed()
        done.set()

    threading.Thread(target=wait_and_do, daemon=True).start()
    return lambda: done.wait(10)


def _remount(path, mode):
    subprocess.run(["mount", "-o", f"remount,{mode}", str(path)], check=True)


def small_disk(path, megabytes=24):
    """Puts a disk of its own at the path, where that is allowed; gives what undoes it."""
    if os.geteuid() != 0:
        return None
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "pingline", str(path)])
    return (lambda: subprocess.run(["umount", "-l", str(path)])) if made.returncode == 0 else None
