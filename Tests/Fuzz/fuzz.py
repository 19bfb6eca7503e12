#!/usr/bin/env python3
"""Runs the fuzz targets one after the other, each for a while, and shrinks what they find.

    fuzz.py DRIVER [--seconds 60] [--target NAME] [--replay FILE] [--merge]

What is kept between runs, the inputs that reach code of their own, is in the folder of the build. A finding is a
file in it, too; nothing is found when the exit code is 0.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

MEGABYTES = 4_096
SECONDS_PER_INPUT = 60  # of a machine that does other things too; what grows too fast is counted, not timed

# The checks end the process themselves, so a trace of the compiler's own would only be in the way. A leak is looked
# for by the suites under the address sanitizer.
QUIET = {"SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:handle_abort=0"}


class Target:
    def __init__(self, driver, name, home):
        self.driver, self.name = driver, name
        self.corpus = home / name / "corpus"
        self.seeds = home / name / "seeds"
        self.found = home / name / "found"
        for folder in (self.corpus, self.found):
            folder.mkdir(parents=True, exist_ok=True)

    def command(self, *arguments, **variables):
        environment = os.environ | QUIET | {"PINGLINE_FUZZ_TARGET": self.name} | variables
        return subprocess.run([self.driver, *map(str, arguments)], env=environment, text=True,
                              errors="replace", capture_output=True)

    def prepare(self):
        """Writes what to begin with: it changes with the sources."""
        for old in self.seeds.glob("*") if self.seeds.is_dir() else []:
            old.unlink()
        done = self.command(PINGLINE_FUZZ_SEEDS=str(self.seeds))
        if done.returncode != 0:
            sys.exit(done.stderr)

    def search(self, seconds):
        """Returns what libFuzzer printed, and the file of what it found, if it did."""
        before = set(self.found.iterdir())
        done = self.command(
            self.corpus, self.seeds, *known(self.name), f"-max_total_time={seconds}", f"-artifact_prefix={self.found}/",
            f"-dict={self.seeds}.dictionary", f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}",
            f"-malloc_limit_mb={MEGABYTES // 4}", "-print_final_stats=1", "-use_value_profile=1", "-max_len=4096",
            "-report_slow_units=30")
        new = [path for path in self.found.iterdir() if path not in before and not path.name.startswith("slow-unit")]
        if "Is the code instrumented for coverage?" in done.stderr:
            sys.exit(f"{self.name}: the build tells nothing of what it reaches; make clean, and build it again")
        if done.returncode != 0 and not new:
            sys.exit(f"{self.name} ended with {done.returncode}:\n{done.stderr[-4_000:]}")
        return done.stderr, (new[0] if new else None)

    def shrink(self, path, seconds=60):
        """The smallest input found in that time that still breaks something."""
        smaller = path.with_name("small-" + path.name)
        self.command(path, "-minimize_crash=1", f"-max_total_time={seconds}", f"-exact_artifact_path={smaller}",
                     f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}")
        return smaller if smaller.exists() else path

    def replay(self, path):
        done = self.command(path, f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}")
        return done.returncode, done.stderr


def known(name):
    """What was found before and is in the repository."""
    folder = pathlib.Path(__file__).parent / "Found" / name
    return [folder] if folder.is_dir() else []


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def names(driver):
    done = subprocess.run([driver], env=os.environ | QUIET | {"PINGLINE_FUZZ_TARGET": ""}, text=True,
                          capture_output=True)
    return done.stderr.split(":", 1)[-1].split()


def run(target, seconds):
    """Searches, and says what came of it. Returns whether nothing was found."""
    target.prepare()
    began = time.monotonic()
    output, found = target.search(seconds)
    took = time.monotonic() - began
    executions = number(r"stat::number_of_executed_units:\s*(\d+)", output) or number(r"#(\d+)", output)
    edges = number(r"cov: (\d+)", output)
    kept = sum(1 for _ in target.corpus.iterdir())
    print(f"{target.name:12} {executions:>12,} executions  {took:7.0f} s  {edges:>6} edges  {kept:>5} inputs kept"
          f"  {'nothing found' if found is None else 'FOUND'}", flush=True)
    if found is None:
        return True
    small = target.shrink(found)
    _, words = target.replay(small)
    reason = re.findall(r"FOUND: .*|ERROR: .*|Fatal error: .*", words) or words.splitlines()[-3:]
    print(f"  {reason[0] if reason else '?'}\n  {small.stat().st_size} bytes: {small.read_bytes()[:200]!r}\n"
          f"  again:  make fuzz T={target.name} REPLAY={small}\n"
          f"  keep:   cp {small} Tests/Fuzz/Found/{target.name}/a-name-that-says-what", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--target", default="")
    parser.add_argument("--replay", default="")
    choices = parser.parse_args()
    home = pathlib.Path(choices.driver).resolve().parents[2] / "fuzz"
    everything = names(choices.driver)
    wanted = [name for name in everything if not choices.target or name == choices.target]
    if not wanted:
        sys.exit(f"no target {choices.target}; there are: {' '.join(everything)}")
    targets = [Target(choices.driver, name, home) for name in wanted]
    if choices.replay:
        if not choices.target:
            sys.exit("a replay needs the target, T=")
        code, words = targets[0].replay(choices.replay)
        print(words)
        sys.exit(1 if code else 0)
    results = [run(target, choices.seconds) for target in targets]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
