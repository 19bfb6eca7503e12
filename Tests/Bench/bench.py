"""Measures the release build next to weechat and irssi, in turn on the same machine, and prints a table.

    bench.py [--runs 5] [--idle 60] [--only session,slow,idle,server]

Medians of interleaved runs. A ratio below 1 is Pingline's advantage.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/EndToEndTests"))

import measures  # noqa: E402
from pingline import Big, Pingline, Prepared, serving  # noqa: E402
from programs import Irssi, Weechat  # noqa: E402


class Results:
    """Figures by row and program; a row appears in the order it was first measured."""

    def __init__(self):
        self.rows = {}

    def add(self, program, figures):
        for row, figure in figures.items():
            self.rows.setdefault(row, {}).setdefault(program, []).append(figure)

    def table(self, programs):
        """Markdown, with ratios to each of the others."""
        others = programs[1:]
        head = ["", *programs, *(f"/ {name}" for name in others)]
        lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        for row, figures in self.rows.items():
            medians = {name: statistics.median(figures[name]) for name in programs if name in figures}
            cells = [shown(medians.get(name)) for name in programs]
            ours = medians.get(programs[0])
            for name in others:
                theirs = medians.get(name)
                cells.append(f"{ours / theirs:.2f}" if ours is not None and theirs else "")
            lines.append("| " + " | ".join([row, *cells]) + " |")
        return "\n".join(lines)


def shown(figure):
    if figure is None:
        return ""
    return f"{figure:.2f}" if figure < 10 else f"{figure:.1f}" if figure < 100 else f"{figure:,.0f}".replace(",", " ")


def in_turn(runs, makes):
    """Every program once a round, each round beginning with another one."""
    names = list(makes)
    for run in range(runs):
        for name in names[run % len(names) :] + names[: run % len(names)]:
            yield run, name, makes[name]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", default=str(ROOT / ".build/release/pingline"))
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--idle", type=int, default=60, metavar="SECONDS")
    options.add_argument("--only", default="session,big,slow,idle,server")
    chosen = options.parse_args()
    parts, results = chosen.only.split(","), Results()

    def note(text):
        print(f"· {text}", file=sys.stderr, flush=True)

    with Prepared(chosen.binary) as prepared:
        makes = {
            "pingline": lambda link=None: Pingline(prepared, link=link),
            "weechat": Weechat,
            "irssi": Irssi,
        }
        for part, measure in (("session", measures.session), ("slow", measures.slow)):
            for run, name, make in in_turn(chosen.runs if part in parts else 0, makes):
                note(f"{part} {run + 1} {name}")
                results.add(name, measure(make))
        if "big" in parts:
            note("filling a thread with 100 000 messages")
            with Big(prepared) as big:
                for run in range(chosen.runs):
                    note(f"100 000 stored, {run + 1}")
                    results.add("pingline", big.measure())
        if "idle" in parts:
            note(f"all left alone for {chosen.idle} s")
            for name, figures in measures.idle(makes, chosen.idle).items():
                results.add(name, figures)
        if "server" in parts:
            for run in range(chosen.runs):
                note(f"server {run + 1}")
                results.add("pingline", serving(prepared))

    versions = [subprocess.run([name, "--version"], capture_output=True, text=True).stdout for name in ("weechat", "irssi")]
    print(f"\nMedians of {chosen.runs} interleaved runs; weechat {versions[0].strip()}, {versions[1].strip()}.\n")
    print(results.table(["pingline", "weechat", "irssi"]))


if __name__ == "__main__":
    main()
