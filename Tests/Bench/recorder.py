"""A terminal that keeps the time of everything it read, and parses only when somebody looks."""

import os
import re
import time

from screen import Screen, ScreenStream
from terminal import Terminal, WaitTimeout  # Tests/EndToEndTests; bench.py puts it in the path


class SlowLink:
    """A line to the terminal: so many bytes a second, and so long on the way, each way."""

    BUFFER = 65536  # bytes under way at most; then the program is blocked, as over SSH

    def __init__(self, rate, latency):
        self.rate, self.latency = rate, latency
        self._free_at = 0.0

    def arrival(self, now, count):
        """When the last of these bytes reaches the screen."""
        self._free_at = max(self._free_at, now) + count / self.rate
        return self._free_at + self.latency

    def room_in(self, now):
        """Seconds until the line takes more."""
        return max(0.0, self._free_at - now - self.BUFFER / self.rate)


class Recorder(Terminal):
    def __init__(self, *arguments, link=None, **options):
        self.link = link
        self.pieces = []  # (monotonic time on the screen, bytes)
        self._parsed = 0
        self.started = time.monotonic()
        super().__init__(*arguments, **options)

    @property
    def text(self):
        self._parse()
        return super().text

    def row_of(self, pattern):
        self._parse()
        return super().row_of(pattern)

    def mark(self):
        """A place in the record, for `since`."""
        return len(self.pieces)

    def since(self, mark):
        return self.pieces[mark:]

    def bytes_since(self, mark):
        return sum(len(data) for _, data in self.pieces[mark:])

    def last_time(self):
        return self.pieces[-1][0]

    def quiet(self, seconds, limit=20.0):
        """Reads until nothing came for that long."""
        deadline = time.monotonic() + limit
        while self._pump(seconds):
            if time.monotonic() > deadline:
                raise WaitTimeout(f"still writing after {limit} s")

    def output_within(self, seconds):
        """Whether anything was written in time; it is read."""
        return self._pump(seconds)

    def wait_bytes(self, needle, mark, seconds):
        """The time at which these bytes were on the screen. Falls back to the parsed screen, for a text may be
        painted in pieces."""
        deadline = time.monotonic() + seconds
        tail, position = b"", mark
        while time.monotonic() < deadline:
            for when, data in self.pieces[position:]:
                tail = tail[-len(needle) :] + data
                if needle in tail:
                    return when
            position = len(self.pieces)
            if not self._pump(0.3) and needle.decode() in self.text:
                return self.last_time()
        raise WaitTimeout(f"no {needle!r} within {seconds} s; the screen is:\n{self.text}")

    def first_time(self, pattern):
        """The time of the write after which a fresh look at the record finds the pattern on the screen."""
        screen = Screen(self.screen.columns, self.screen.lines, lambda _: None)
        stream = ScreenStream(screen)
        for when, data in self.pieces:
            stream.feed(data)
            if re.search(pattern, "\n".join(screen.display)):
                return when
        raise WaitTimeout(f"the record never showed “{pattern}”; the screen is:\n{self.text}")

    def press(self, *keys, quiet=0.025, limit=2.0):
        """Presses keys and reads the answer: bytes, and seconds to the last of them. None: no answer."""
        mark, sent = self.mark(), time.monotonic()
        for key in keys:
            self._write(self._sequence(key).encode())  # without the pause of `key`
        if not self._pump(limit):
            return None
        self.quiet(quiet)
        return self.bytes_since(mark), self.last_time() - sent

    def status(self, field):
        """A number of /proc/PID/status, in its unit: `VmRSS` in kB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))

    def wake_ups(self):
        """Voluntary context switches so far, thread by thread: threads come and go."""
        counts = {}
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                    line = next(line for line in file if line.startswith("voluntary_ctxt_switches"))
            except FileNotFoundError:
                continue
            counts[task] = int(line.split()[1])
        return counts

    def _write(self, data):
        if self.link:
            time.sleep(self.link.latency)  # the way of the keys
        super()._write(data)

    def _pump(self, seconds):
        if self.link:
            wait = self.link.room_in(time.monotonic())
            if wait > 0:
                time.sleep(wait)
        return super()._pump(seconds)

    def _received(self, data):
        now = time.monotonic()
        self.pieces.append((self.link.arrival(now, len(data)) if self.link else now, data))

    def _parse(self):
        for _, data in self.pieces[self._parsed :]:
            self._stream.feed(data)
        self._parsed = len(self.pieces)
