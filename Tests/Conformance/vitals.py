"""What a server holds: open files and memory."""

import pathlib


class Vitals:
    """As the system counts them at this moment."""

    def __init__(self, server):
        process = pathlib.Path("/proc") / str(server.process.pid)
        self.files = len(list((process / "fd").iterdir()))
        status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
        self.kilobytes = int(status["VmRSS"].split()[0])

    def __repr__(self):
        return f"{self.files} files, {self.kilobytes} kB"
