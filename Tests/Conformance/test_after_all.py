"""What a server is left with when everybody has gone."""

import gc

from moments import soon
from vitals import Vitals

ALLOWED = 64 << 10  # kB beside what it had; the allocator keeps what one large burst has taken


def test_step_120_nothing_is_left_behind(server, people):
    server.wait_health(lambda health: health["sockets"] == health["channels"] == 0)
    lines = []
    for log in server.home.rglob("pingline.log*"):
        lines += log.read_text().splitlines()
    assert lines, "the server has written no log"
    assert [line for line in lines if line.split()[1] == "error"] == []
    if not hasattr(server, "vitals"):
        return  # only some steps were run, and not the one it is compared with
    gc.collect()
    soon(lambda: Vitals(server).files <= server.vitals.files, seconds=10)
    now = Vitals(server)
    assert now.kilobytes <= server.vitals.kilobytes + ALLOWED, (server.vitals, now)
