"""`pingline serve` as a process that can be killed and started again on the same port and data."""

import json
import select
import signal
import socket
import subprocess
import time
import urllib.request


def free_port():
    """A port nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """Runs until `close`; `kill` and `start` in between keep the port and the data."""

    def __init__(self, binary, directory, env, options=()):
        self.binary, self.directory, self.env, self.options = binary, directory, env, options
        self.port = free_port()
        self.process = None
        self.key = None  # the project's, which every request carries; known once it has started

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, seconds=20.0):
        """Returns once the server says that it listens."""
        self.log = open(f"{self.directory}.log", "ab")
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", str(self.port), "--directory", str(self.directory), "--json", *self.options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=self.env,
        )  # fmt: skip
        self._wait_listening(seconds)

    def kill(self):
        """The end without a chance to say goodbye."""
        self.process.kill()
        self._ended()

    def stop(self, seconds=10.0):
        """The orderly end; gives the exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(seconds)
        return self._ended()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()

    def health(self):
        """What the server counts: sockets, channels, rows."""
        with urllib.request.urlopen(f"{self.url}/health", timeout=5) as answer:
            return json.load(answer)

    def wait_health(self, condition, seconds=20.0):
        """Asks for the counters until they fulfil the condition."""
        deadline = time.monotonic() + seconds
        while not condition(counters := self.health()):
            assert time.monotonic() < deadline, f"after {seconds} s the server counts {counters}"
            select.select([], [], [], 0.02)
        return counters

    def _ended(self):
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
        return self.process.returncode

    def _wait_listening(self, seconds):
        readable, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if readable else b""
        assert line, f"the server did not start: {self.process.poll()}, see {self.log.name}"
        self.key = json.loads(line)["publishable_key"]
