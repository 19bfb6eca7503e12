"""A pseudo-terminal with a program in it, and the screen a person would see there.

Nothing here sleeps: every wait ends with output, with the end of the program, or with its deadline.
"""

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time

from screen import Screen, ScreenStream

PATIENCE = 20.0  # seconds; a wait that takes longer is a failure

KEYS = {
    "Enter": "\r", "Tab": "\t", "BackTab": "\x1b[Z", "Esc": "\x1b", "Backspace": "\x7f", "Space": " ",
    "Delete": "\x1b[3~", "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "F1": "\x1bOP", "F5": "\x1b[15~",
    "F6": "\x1b[17~",
}  # fmt: skip
CURSOR_KEYS = {"Up": "A", "Down": "B", "Right": "C", "Left": "D", "Home": "H", "End": "F"}


# Seconds between a key and what was sent before it. Fingers are no quicker; a program may take what is for a paste.
PACE = 0.06


class WaitTimeout(AssertionError):
    """What was waited for did not come; the message shows the screen instead."""


class Terminal:
    """Runs `argv` in a terminal of the given size. Use it as a context: the program ends with it."""

    pace = PACE

    def __init__(self, argv, columns=100, rows=30, env=None, umask=-1, cwd=None):
        self._last_sent = 0.0
        self.screen = Screen(columns, rows, self._answer)
        self._stream = ScreenStream(self.screen)
        self.output = bytearray()  # all that the program wrote
        self._master, self._slave = os.openpty()
        self._set_size(columns, rows)
        os.set_blocking(self._master, False)
        self.modes_before = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            argv, stdin=self._slave, stdout=self._slave, stderr=self._slave, env=env, umask=umask, cwd=cwd,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self._pidfd = os.pidfd_open(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # What a person sees

    @property
    def text(self):
        """The screen, row under row, without trailing blanks."""
        return "\n".join(row.rstrip() for row in self.screen.display)

    def row_of(self, pattern):
        """The first row that matches, or None."""
        return next((row for row in self.screen.display if re.search(pattern, row)), None)

    # Waiting

    def wait(self, condition, what, seconds=PATIENCE):
        """Returns what `condition` gives once it is true; it is asked again after every piece of output."""
        deadline = time.monotonic() + seconds
        while True:
            if found := condition():
                return found
            left = deadline - time.monotonic()
            if left <= 0:
                raise WaitTimeout(f"no {what} within {seconds} s; the screen is:\n{self.text}")
            if not self._pump(left) and self.process.poll() is not None:
                if found := condition():
                    return found
                raise WaitTimeout(f"ended with {self.process.returncode} before {what}; the screen was:\n{self.text}")

    def wait_text(self, pattern, seconds=PATIENCE):
        """Until the screen matches the expression."""
        return self.wait(lambda: re.search(pattern, self.text), f"text “{pattern}”", seconds)

    def wait_gone(self, pattern, seconds=PATIENCE):
        """Until the screen no longer matches the expression."""
        self.wait(lambda: not re.search(pattern, self.text), f"screen without “{pattern}”", seconds)

    def wait_idle(self, quiet=0.2, seconds=PATIENCE):
        """Until nothing was written for `quiet` seconds, in which the program used no processor time either."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            used = self.cpu_seconds()
            if not self._pump(quiet) and (self.cpu_seconds() == used or self.process.poll() is not None):
                return
        raise WaitTimeout(f"no rest within {seconds} s; the screen is:\n{self.text}")

    def wait_exit(self, seconds=PATIENCE):
        """The exit status, negative for a signal, as `subprocess` has it."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            if (left := deadline - time.monotonic()) <= 0:
                raise WaitTimeout(f"still running after {seconds} s; the screen is:\n{self.text}")
            self._pump(left)
        while self._pump(0):
            pass
        return self.process.returncode

    # What a person does

    def type(self, text):
        """Sends characters as the keyboard does."""
        self._write(text.encode())

    def key(self, *names):
        """Presses keys: `a`, `Enter`, `Up`, `C-n` with control, `M-r` with alt."""
        for name in names:
            while (left := self._last_sent + self.pace - time.monotonic()) > 0:
                self._pump(left)
            self._write(self._sequence(name).encode())

    def paste(self, text):
        """Pastes, in brackets when the program asked for them."""
        self.type(f"\x1b[200~{text}\x1b[201~" if 2004 in self.screen.private_modes else text)

    def resize(self, columns, rows):
        """Gives the terminal another size; the kernel tells the program."""
        while self._pump(0):
            pass
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def signal(self, number):
        """Sends a signal to the program alone."""
        self.process.send_signal(number)

    def hang_up(self):
        """Closes the terminal, as a window or a lost connection does."""
        for name in ("_master", "_slave"):
            if getattr(self, name) is not None:
                os.close(getattr(self, name))
                setattr(self, name, None)

    def close(self):
        """Ends the program, if it runs, and the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None

    # What is left

    def leftovers(self):
        """What a shell would find different from before the start, in words; empty after a clean end."""
        left = self.screen.modes_left_on()
        before, after = self.modes_before, termios.tcgetattr(self._slave)
        names = ("input flags", "output flags", "control flags", "local flags")
        left += [name for index, name in enumerate(names) if before[index] != after[index]]
        return left + (["control characters"] if before[6] != after[6] else [])

    def cpu_seconds(self):
        """Processor time used so far in seconds, all threads, also those that have ended; nanosecond resolution."""
        clock = ~self.process.pid << 3 | 2  # clock_getcpuclockid(3)
        try:
            return time.clock_gettime(clock)
        except OSError:
            return 0.0

    # The wire

    def _sequence(self, name):
        if name in CURSOR_KEYS:
            return ("\x1bO" if 1 in self.screen.private_modes else "\x1b[") + CURSOR_KEYS[name]
        if name in KEYS:
            return KEYS[name]
        if len(name) == 1:
            return name
        if name.startswith("C-"):
            return chr(ord(name[2].upper()) & 0x1F if name[2] != "_" else 0x1F)
        if name.startswith("M-"):
            rest = name[2:]
            if rest in CURSOR_KEYS:
                return f"\x1b[1;3{CURSOR_KEYS[rest]}"
            return "\x1b" + (KEYS[rest] if rest in KEYS else rest)
        raise ValueError(f"no key is called {name}")

    def _answer(self, text):
        self._write(text.encode())

    def _write(self, data):
        while data:
            _, writable, _ = select.select([], [self._master], [], PATIENCE)
            if not writable:
                raise WaitTimeout("the program reads no keys")
            data = data[os.write(self._master, data) :]
        self._last_sent = time.monotonic()

    def _pump(self, seconds):
        """Takes what the program wrote, waiting for it up to `seconds`. False: it wrote nothing."""
        if self._master is None:
            select.select([self._pidfd], [], [], seconds)
            return False
        watched = [self._master] + ([self._pidfd] if self.process.returncode is None else [])
        readable, _, _ = select.select(watched, [], [], seconds)
        if self._master not in readable:
            return False
        try:
            data = os.read(self._master, 65536)
        except (BlockingIOError, OSError):
            return False
        self._received(data)
        return bool(data)

    def _received(self, data):
        self.output += data
        self._stream.feed(data)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
