"""A PostgreSQL of the tests' own: in a temporary folder, on a Unix socket only, gone with the process that made it."""

import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile

import psycopg

OLDEST = 15
ADMIN = "supabase_admin"  # the superuser's name in a Supabase project


def programs():
    """Where the server's programs are: those of the oldest version the schema is for, if there are several."""
    versions = sorted(int(path.name) for path in pathlib.Path("/usr/lib/postgresql").glob("[1-9][0-9]"))
    for version in versions:
        if version >= OLDEST:
            return pathlib.Path(f"/usr/lib/postgresql/{version}/bin")
    found = shutil.which("initdb")
    assert found, f"PostgreSQL {OLDEST} or newer is missing: run `make schema`, which installs it"
    return pathlib.Path(found).parent


class Cluster:
    """Runs from `start` to `close`. The kernel ends it should the tests be killed."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pingline-schema-"))
        self.process = None
        # PostgreSQL refuses to run as root; as anybody else it runs as that user.
        self._as = ["setpriv", "--pdeathsig", "KILL"]
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self._as += ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        self._as.append("--")

    def start(self, seconds=60.0):
        """Returns once it takes connections."""
        data = str(self.folder / "data")
        subprocess.run(
            [*self._as, str(programs() / "initdb"), "-D", data, "-U", ADMIN, "--auth=trust", "--no-sync",
             "--encoding=UTF8", "--locale=C.UTF-8"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip
        settings = {
            "listen_addresses": "", "unix_socket_directories": str(self.folder), "fsync": "off", "wal_level": "logical",
            "timezone": "UTC", "log_min_messages": "log", "log_checkpoints": "off", "autovacuum": "off",
        }  # fmt: skip
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self.process = subprocess.Popen(
            [*self._as, str(programs() / "postgres"), "-D", data, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder,
        )  # fmt: skip
        self._wait_ready(seconds)

    def connect(self, database="postgres", user=ADMIN):
        """A connection in which every statement is its own transaction, unless one is begun."""
        return psycopg.connect(host=str(self.folder), dbname=database, user=user, autocommit=True)

    def close(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)  # a fast end: with connections, without a wait for them
            self.process.communicate(timeout=20)
        shutil.rmtree(self.folder)

    def _wait_ready(self, seconds):
        said = b""
        while b"ready to accept connections" not in said:
            readable, _, _ = select.select([self.process.stderr], [], [], seconds)
            part = os.read(self.process.stderr.fileno(), 65536) if readable else b""
            said += part
            assert part, f"PostgreSQL did not start:\n{said.decode(errors='replace')}"
