"""Runs many simulated worlds, a process for each core, and adds up what was done to them.

    simulate.py BINARY [--seeds 2000 | --seconds 60] [--base N] [--seed N] [--workers N]

Without a base the seeds are new ones. A seed that fails ends the run: its last steps are printed, and the command
that shows all of them.
"""

import argparse
import collections
import os
import subprocess
import sys
import time

# Worlds of one process: whatever it leaks is gone with it.
CHUNK = 250
SHOWN = 60


class Worker:
    """A process that lives through some seeds."""

    def __init__(self, binary, first, count, seconds):
        words = [binary, str(first), str(count)] + ([str(seconds)] if seconds else [])
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)

    def counts(self):
        output, _ = self.process.communicate()
        counts = collections.Counter()
        for line in output.splitlines():
            name, _, number = line.rpartition("\t")
            counts[name] += int(number)
        if self.process.returncode not in (0, 1):
            sys.exit(f"The simulation itself ended with {self.process.returncode}.\n{output}")
        return counts


def run(binary, base, seeds, seconds, size):
    """Counts by name, and the seed that failed or None."""
    total = collections.Counter()
    next_seed, end = base, time.monotonic() + seconds if seconds else None
    workers = []
    while True:
        left = base + seeds - next_seed if seeds else CHUNK
        rest = int(end - time.monotonic()) if end else None
        while len(workers) < size and left > 0 and (rest is None or rest > 0):
            count = min(CHUNK, left)
            workers.append(Worker(binary, next_seed, count, rest))
            next_seed, left = next_seed + count, left - count if seeds else left
        if not workers:
            return total, None
        counts = workers.pop(0).counts()
        failed = counts.pop("failed seed", None)
        total += counts
        if failed is not None:
            for worker in workers:
                worker.process.kill()
                worker.process.wait()
            return total, failed


def show(binary, seed, replay):
    """The end of a failing seed's trace, and how to see the rest."""
    trace = subprocess.run([binary, str(seed)], capture_output=True, text=True).stdout.splitlines()
    print("\n".join(trace[-SHOWN:]))
    print(f"\nSeed {seed} failed. All of its {len(trace)} steps:\n\n    {replay} SEED={seed}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--base", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--replay", default="make simulate", help="shows a seed of this very build")
    options = parser.parse_args()
    if options.seed is not None:
        sys.exit(subprocess.run([options.binary, str(options.seed)]).returncode)
    base = options.base if options.base is not None else time.time_ns() // 1_000_000 * 1_000_000
    seeds = options.seeds or (None if options.seconds else 2_000)
    print(f"seeds from {base}", flush=True)
    began = time.monotonic()
    total, failed = run(options.binary, base, seeds, options.seconds, options.workers)
    took = time.monotonic() - began
    for name in ("runs", "lives", "messages", "jobs"):
        print(f"{total.pop(name, 0):>12,} {name}")
    print("faults:")
    for name, count in total.most_common():
        print(f"{count:>12,} {name}")
    print(f"{took:.0f} seconds", flush=True)
    if failed is not None:
        show(options.binary, failed, options.replay)
        sys.exit(1)


if __name__ == "__main__":
    main()
