"""Real clients on pseudo-terminals, a real server, and everything that goes wrong between and inside them.

    torture.py [--kills 200] [--worlds 2] [--seed N] [--binary PATH]

In each of the worlds, which live side by side and share nothing but the machine, two people write to each other while clients and server are killed, stopped and cut off, disks fill up and stores are
damaged. Then the faults end, and every text that was on a screen with a mark must be at the server once, in the
order it was typed, and on both screens once, in the same order; a text whose Enter may not have been heard, at most
once. Prints what was done, and the seed.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import sqlite3
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests"))

import faults  # noqa: E402
from faultproxy import FaultProxy  # noqa: E402
from people import Typist, trouble  # noqa: E402
from server import Server  # noqa: E402
from terminal import Terminal  # noqa: E402


class World:
    """A server, a proxy in front of it, and two people at their screens. A context."""

    def __init__(self, binary, seed):
        self.binary, self.random = binary, random.Random(seed)
        self.folder = tempfile.TemporaryDirectory(prefix="pingline-torture-")
        self.path = pathlib.Path(self.folder.name)
        self.server = Server(binary, self.path / "served", self._environment("server"))
        self.server.start()
        self.proxy = FaultProxy(self.server.port)
        self.people = [self._typist("ana", "ben"), self._typist("ben", "ana")]
        self.disks = [disk for typist in self.people if (disk := faults.small_disk(typist.data))]
        self.forgiven = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for typist in self.people:
            typist.end()
        self.server.close()
        self.proxy.close()
        for unmount in self.disks:
            unmount()
        self.folder.cleanup()

    def _typist(self, name, peer):
        return Typist(self.binary, name, peer, self._environment(name))

    def _environment(self, name):
        home = self.path / f"{name}-home"
        places = {part: home / part.lower() for part in ("CONFIG", "DATA", "STATE", "CACHE")}
        for place in (*places.values(), home / "run"):
            place.mkdir(parents=True, mode=0o700, exist_ok=True)
        plain = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC"}
        plain["XDG_RUNTIME_DIR"] = str(home / "run")
        return plain | {f"XDG_{part}_HOME": str(place) for part, place in places.items()}

    # The life

    def meet(self):
        """Both sign up, and ana starts the conversation."""
        address = f"http://127.0.0.1:{self.proxy.port}"
        ana, ben = self.people
        ana.sign_up(address)
        ben.sign_up(address)
        ana.client.start("ben")
        ben.client.terminal.wait_text("Ana")
        ben.client.open("Ana")
        self.chat(1)

    def someone(self):
        """A person whose client runs."""
        return self.random.choice([typist for typist in self.people if typist.is_running])

    def chat(self, count):
        """Some people type something; it does not matter who can."""
        for _ in range(count):
            typist = self.random.choice(self.people)
            if not typist.is_running:
                continue
            try:
                typist.type()
            except Exception as error:
                if not trouble(error):
                    raise

    def suffer(self, fault):
        """One thing goes wrong while people type, and is put right."""
        begin, undo = fault(self)
        self.chat(self.random.randint(1, 3))
        begin()
        undo()
        for typist in self.people:
            if typist.is_running and typist.doubtful & set(typist.order[-3:]):
                typist.clear()
            typist.start()

    def restart_server(self):
        if self.server.process.poll() is not None:
            self.server.kill()  # collects what is left of it
            self.server.start()

    def try_second(self, typist):
        with Terminal([self.binary], *Typist.SIZE, env=typist.env) as second:
            second.wait_text(rf"process {typist.client.terminal.process.pid}\b")

    def forgive(self, typist, texts):
        """A damaged store may have lost what waited in it."""
        for text in texts:
            if text in typist.kept:
                typist.kept.remove(text)
                typist.doubtful.add(text)
                self.forgiven += 1

    # The end

    def verdict(self):
        """Lets everything come to rest; gives what is wrong, in words."""
        self.proxy.heal()
        self.restart_server()
        for typist in self.people:
            typist.start()
            typist.wait_settled(90)
        there = self._at_server()
        wrong = []
        for typist in self.people:
            own = [text for text in there if text.startswith(typist.name)]
            counts = collections.Counter(own)
            wrong += [f"{text} is lost" for text in typist.kept if not counts[text]]
            wrong += [f"{text} came {times} times" for text, times in counts.items() if times > 1]
            wrong += [f"{text} was never typed" for text in counts if text not in typist.order]
            if own != sorted(own):
                wrong.append(f"{typist.name}'s texts are not in the order of typing")
        for typist in self.people:
            typist.look_back(there[0])
            typist.client.terminal.wait(lambda typist=typist: typist.seen()[-5:] == there[-5:], "the newest texts", 30)
            if typist.stored() != there:
                wrong.append(f"{typist.name}'s store differs from the server")
        return wrong + self._farewell()

    def _farewell(self):
        wrong = []
        for typist in self.people:
            if typist.client.quit() != 0:
                wrong.append(f"{typist.name}'s client did not end well")
            wrong += [f"{typist.name}'s terminal: {left}" for left in typist.client.terminal.leftovers()]
        if self.server.stop() != 0:
            wrong.append("the server did not end well")
        return wrong

    def _at_server(self):
        path = self.path / "served/server.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            rows = database.execute("SELECT body FROM messages ORDER BY created_at, id").fetchall()
        return [body for (body,) in rows if re.fullmatch(r"[a-z]+-\d{5}", body)]


def run(binary, kills, seed):
    """A world until that many processes were killed in it; what came of it, `wrong` first of all."""
    done = collections.Counter()
    with World(binary, seed) as world:
        try:
            world.meet()
            kinds = faults.OFTEN + faults.SOMETIMES + (faults.AS_ROOT if world.disks else []) + [faults.damage_store]
            while sum(done[fault.__name__] for fault in faults.KILLS) < kills:
                fault = world.random.choice(kinds)
                world.suffer(fault)
                done[fault.__name__] += 1
                if sum(done.values()) % 50 == 0:
                    texts = sum(len(typist.order) for typist in world.people)
                    print(f"world {seed}: {sum(done.values())} faults, {texts} texts", flush=True)
            wrong = world.verdict()
        except Exception as error:
            traceback.print_exc()
            wrong = [f"{type(error).__name__} after {sum(done.values())} faults, see above"]
        kept = sum(len(typist.kept) for typist in world.people)
        doubtful = sum(len(typist.doubtful) for typist in world.people)
        wrong = [f"world {seed}: {line}" for line in wrong]
        return {"wrong": wrong, "done": done, "kept": kept, "doubtful": doubtful, "forgiven": world.forgiven}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=str(ROOT / ".build/release/pingline"))
    options.add_argument("--kills", type=int, default=200, help="in all worlds together")
    options.add_argument("--worlds", type=int, default=2)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of the first world; others follow")
    chosen = options.parse_args()
    began = time.monotonic()
    print(f"seed {chosen.seed}", flush=True)
    share = -(-chosen.kills // chosen.worlds)
    with concurrent.futures.ProcessPoolExecutor(chosen.worlds) as pool:
        worlds = [pool.submit(run, chosen.binary, share, chosen.seed + number) for number in range(chosen.worlds)]
        results = [world.result() for world in worlds]
    for name, times in sorted(sum((one["done"] for one in results), collections.Counter()).items()):
        print(f"{times:6}  {name.replace('_', ' ')}")
    print(f"{sum(one['kept'] for one in results):6}  texts kept")
    print(f"{sum(one['doubtful'] for one in results):6}  texts of which nobody knows whether Enter was heard")
    print(f"{sum(one['forgiven'] for one in results):6}  texts waited in a store when it was damaged")
    print(f"{time.monotonic() - began:6.0f}  seconds")
    wrong = [line for one in results for line in one["wrong"]]
    for line in wrong:
        print(f"WRONG: {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
