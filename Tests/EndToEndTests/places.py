"""Places that take no writing: full, read-only, without a name server. Made by the kernel, so they hurt root too."""

import contextlib
import pathlib
import shutil
import subprocess

import pytest


def run(*command):
    """A command of the system's administrator; the test is skipped, with the reason, where it is not permitted."""
    program = shutil.which(command[0])
    if not program:
        pytest.skip(f"{command[0]} is not on this machine")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"not permitted here: {' '.join(map(str, command))}: {done.stderr.strip()}")


@contextlib.contextmanager
def small_disk(path, options="size=4m"):
    """A disk of its own on the folder."""
    path.mkdir(parents=True, exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", f"{options},mode=700", "none", str(path))
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


class Disk:
    """A mounted disk that can be filled and emptied."""

    def __init__(self, path):
        self.path, self.filler = path, path / "filler"

    def fill(self):
        """Takes the last byte."""
        self.filler.mkdir(exist_ok=True)
        size = 1 << 20
        with open(self.filler / "bytes", "ab", buffering=0) as file:
            while size:
                try:
                    file.write(b"x" * size)
                except OSError:
                    size //= 2

    def fill_inodes(self):
        """Takes the last name for a file."""
        self.filler.mkdir(exist_ok=True)
        with contextlib.suppress(OSError):
            for number in range(100_000):
                (self.filler / str(number)).touch()

    def free(self):
        shutil.rmtree(self.filler)


@contextlib.contextmanager
def read_only(path):
    """The folder, mounted so that nobody can write to it."""
    run("mount", "--bind", str(path), str(path))
    try:
        run("mount", "-o", "remount,ro,bind", str(path))
        yield
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def with_own_names(argv, hosts):
    """The command in a mount namespace whose only source of names is the file."""
    run("unshare", "-m", "true")
    for name in ("nsswitch.conf", "resolv.conf"):
        own = pathlib.Path(f"{hosts}.{name}")
        own.write_text("hosts: files\n" if name == "nsswitch.conf" else "")
    binds = [f"mount --bind {hosts} /etc/hosts"]
    binds += [f"mount --bind {hosts}.{name} /etc/{name}" for name in ("nsswitch.conf", "resolv.conf")]
    return ["unshare", "-m", "sh", "-c", " && ".join(binds) + ' && exec "$@"', "sh", *argv]
