"""Plants bugs in a copy of the tree, one at a time, and says by which seed the simulation finds each.

    bugs.py [NAME...]

Ends with 1 when one is not found, or when a place in the sources where one is planted is not as it was.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from planted import BUGS

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = 3_000
BUILD = ["swift", "build", "--product", "Simulation"]


def plant(tree, changes):
    """Makes the changes; answers the files as they were."""
    before = {}
    for path, old, new in changes:
        file = tree / path
        text = file.read_text()
        before.setdefault(file, text)
        if text.count(old) != 1:
            sys.exit(f"{path} has {text.count(old)} places like this, where one is to be changed:\n{old}")
        file.write_text(text.replace(old, new))
    return before


def hunt(tree):
    """The number of seeds it took, or None, and what was wrong."""
    binary = tree / ".build/debug/Simulation"
    done = subprocess.run([binary, "1", str(SEEDS)], capture_output=True, text=True)
    counts = dict(line.rpartition("\t")[::2] for line in done.stdout.splitlines() if "\t" in line)
    if "failed seed" not in counts:
        return None, f"ended with {done.returncode}" if done.returncode else "every seed passed"
    trace = subprocess.run([binary, counts["failed seed"]], capture_output=True, text=True).stdout
    failures = [line for line in trace.splitlines() if "FAILURE" in line]
    return int(counts["runs"]), failures[0].split("FAILURE ")[1] if failures else "no trace of it"


def main():
    wanted = sys.argv[1:] or list(BUGS)
    missed = []
    with tempfile.TemporaryDirectory(prefix="pingline-bugs-") as folder:
        tree = pathlib.Path(folder)
        for name in ("Sources", "Tests", "Package.swift"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, tree / name)
        for changes in BUGS.values():  # first all of them, so that a stale one is not found at the end only
            for file, text in plant(tree, changes).items():
                file.write_text(text)
        for name in wanted:
            before = plant(tree, BUGS[name])
            subprocess.run(BUILD, cwd=tree, check=True, stdout=subprocess.DEVNULL)
            began = time.monotonic()
            runs, words = hunt(tree)
            took = time.monotonic() - began
            print(f"{name:<44} {f'seed {runs}' if runs else 'NOT FOUND':>10}  {took:4.0f} s  {words[:90]}", flush=True)
            if not runs:
                missed.append(name)
            for file, text in before.items():
                file.write_text(text)
    if missed:
        sys.exit(f"not found within {SEEDS} seeds: {', '.join(missed)}")


if __name__ == "__main__":
    main()
