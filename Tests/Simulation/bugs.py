"""Plants bugs in a copy of the tree, all in one build with a switch, and says by which seed the simulation finds each.

    bugs.py [NAME...]

Ends with 1 when one is not found, or when a place in the sources where one is planted is not as it was.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

from planted import BUGS

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / ".build-simulation/planted"
SEEDS = 3_000
SWITCH = """import Glibc

/// The bug that is wanted in this run.
nonisolated private let planted = getenv("PINGLINE_PLANTED").map { atoi($0) } ?? 0

nonisolated func isPlanted(_ number: Int32) -> Bool { planted == number }
"""


def planted(path, text):
    """A source file with all its bugs."""
    for number, changes in enumerate(BUGS.values(), start=1):
        for place, old, new in changes:
            if place != path:
                continue
            if text.count(old) != 1:
                sys.exit(f"{path} has {text.count(old)} places like this, where one is to be changed:\n{old}")
            text = text.replace(old, new.replace("#", str(number)))
    return text


def make_tree():
    """Only what differs is written, so that the next build is a short one."""
    files = {"Package.swift": (ROOT / "Package.swift").read_bytes()}
    for top in ("Sources", "Tests"):
        for file in (ROOT / top).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                files[str(file.relative_to(ROOT))] = file.read_bytes()
    for path in {change[0] for changes in BUGS.values() for change in changes}:
        files[path] = planted(path, files[path].decode()).encode()
    for folder in ("Sources/Sync", "Sources/Store", "Tests/Simulation"):
        files[folder + "/Planted.swift"] = SWITCH.encode()
    for path in TREE.rglob("*"):
        if path.is_file() and ".build" not in path.parts and str(path.relative_to(TREE)) not in files:
            path.unlink()
    for path, content in files.items():
        file = TREE / path
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def hunt(number):
    """How many seeds it took, or None; what was wrong; and the seconds."""
    binary = TREE / ".build/release/Simulation"
    environment = dict(os.environ, PINGLINE_PLANTED=str(number))
    began = time.monotonic()
    done = subprocess.run([binary, "1", str(SEEDS)], env=environment, capture_output=True, text=True)
    took = time.monotonic() - began
    counts = dict(line.rpartition("\t")[::2] for line in done.stdout.splitlines() if "\t" in line)
    if "failed seed" not in counts:
        return None, f"ended with {done.returncode}" if done.returncode else "every seed passed", took
    trace = subprocess.run(
        [binary, counts["failed seed"]], env=environment, capture_output=True, text=True
    ).stdout
    failures = [line for line in trace.splitlines() if "FAILURE" in line]
    return int(counts["runs"]), failures[0].split("FAILURE ")[1] if failures else "no trace of it", took


def main():
    wanted = sys.argv[1:] or list(BUGS)
    numbers = {name: number for number, name in enumerate(BUGS, start=1)}
    make_tree()
    subprocess.run(
        ["swift", "build", "-c", "release", "--product", "Simulation"], cwd=TREE, check=True,
        stdout=subprocess.DEVNULL)
    missed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as hunters:
        for name, found in [(name, hunters.submit(hunt, numbers[name])) for name in wanted]:
            runs, words, took = found.result()
            caught = f"seed {runs}" if runs else "NOT FOUND"
            print(f"{name:<62} {caught:>10}  {took:4.0f} s  {words[:90]}", flush=True)
            if not runs:
                missed.append(name)
    if missed:
        sys.exit(f"not found within {SEEDS} seeds: {', '.join(missed)}")


if __name__ == "__main__":
    main()
