"""Holds our WebSocket code, at both ends, against the Autobahn suite and prints the verdicts.

The compression cases (12 and 13) are left out: we offer none. Nothing may fail, and every case that is judged
NON-STRICT must be explained in Docs/Server.md.
"""

import collections
import contextlib
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
CASES = 301
SOUND = {"OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"}
SECONDS = 600.0  # for one end


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_until(condition, process, seconds=300.0):
    """Asks until the condition gives something, as long as the process lives; that."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert process.poll() is None, f"ended too early: {process.args}"
        assert time.monotonic() < deadline, f"nothing after {seconds} s: {process.args}"
        select.select([], [], [], 0.05)
    return found


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


class Suite:
    """One run of the suite in a folder of its own."""

    def __init__(self, folder, swift_test):
        self.folder, self.swift_test = pathlib.Path(folder), swift_test
        self.spec = self.folder / "spec.json"
        self.spec_values = {"outdir": str(self.folder), "cases": ["*"], "exclude-cases": ["12.*", "13.*"]}

    def wstest(self, mode, **values):
        """Starts the suite in one of its modes."""
        self.spec.write_text(json.dumps(self.spec_values | {"exclude-agent-cases": {}} | values))
        program = pathlib.Path(sys.executable).with_name("wstest")
        command = [program, "-m", mode, "-s", self.spec]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ours(self, test, **env):
        """Starts our end, which is a test that waits for these variables."""
        command = [*self.swift_test, "--filter", test]
        return subprocess.Popen(command, cwd=ROOT, env=os.environ | env, stdout=subprocess.DEVNULL)

    def client(self):
        """Our client against the suite's server."""
        port = free_port()
        suite = self.wstest("fuzzingserver", url=f"ws://127.0.0.1:{port}", webport=0)
        try:
            wait_until(lambda: listens(port), suite)
            ours = self.ours("theClientPassesTheFuzzingServer", AUTOBAHN_SERVER=f"ws://127.0.0.1:{port}")
            assert finish(ours) == 0, "our client's end failed"
            wait_until(lambda: (self.folder / "index.json").exists(), suite, 10)
        finally:
            stop(suite)

    def server(self):
        """Our server against the suite's client."""
        place = self.folder / "port"
        ours = self.ours("theServerPassesTheFuzzingClient", AUTOBAHN_CLIENT=str(place))
        try:
            port = int(wait_until(lambda: place.exists() and place.read_text(), ours))
            target = {"agent": "pingline", "url": f"ws://127.0.0.1:{port}", "options": {"version": 18}}
            assert finish(self.wstest("fuzzingclient", servers=[target])) == 0, "the suite's client failed"
            with contextlib.suppress(OSError):  # it may be gone before it has answered
                urllib.request.urlopen(f"http://127.0.0.1:{port}/end", timeout=10).close()
            assert finish(ours) == 0, "our server's end failed"
        finally:
            stop(ours)

    def verdicts(self):
        """By case: what the suite says of it."""
        (agent,) = json.loads((self.folder / "index.json").read_text()).values()
        worst = {}
        for case, verdict in agent.items():
            parts = [verdict["behavior"], verdict["behaviorClose"]]
            worst[case] = next((part for part in parts if part not in SOUND), parts[0])
        return worst


def finish(process):
    """Waits for its end; the exit status."""
    try:
        return process.wait(SECONDS)
    finally:
        stop(process)


def stop(process):
    if process.poll() is None:
        process.terminate()
        process.wait()


def explained():
    """The cases that the documentation names."""
    return set(re.findall(r"\b\d+\.\d+(?:\.\d+)?\b", (ROOT / "Docs/Server.md").read_text()))


def judge(end, verdicts, seconds):
    """Prints the counts; whether they are as they must be."""
    counts = collections.Counter(verdicts.values())
    names = ["OK", "NON-STRICT", "INFORMATIONAL", "FAILED"]
    others = sorted(counts.keys() - set(names))
    print(f"{end}: {len(verdicts)} cases in {seconds:.0f} s:", ", ".join(f"{counts[one]} {one}" for one in names + others))
    problems = [f"case {case} is {verdict}" for case, verdict in verdicts.items() if verdict not in SOUND]
    lenient = [case for case, verdict in verdicts.items() if verdict == "NON-STRICT"]
    print("    NON-STRICT:", " ".join(lenient) or "none")
    problems += [f"case {case} is not explained in Docs/Server.md" for case in lenient if case not in explained()]
    if len(verdicts) != CASES:
        problems.append(f"there should be {CASES} cases")
    for problem in problems:
        print("   ", problem)
    return not problems


def main(swift_test):
    good = True
    for end in ("server", "client"):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            suite = Suite(folder, swift_test)
            getattr(suite, end)()
            good &= judge(end, suite.verdicts(), time.monotonic() - began)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
