"""Trials of servers at their limits, as they were reported of other programs."""

import re

from client import BANNER, CONNECTED, SENT, WAITING
from person import Person
from test_talk import meet
from test_trials_stuck import openings

LIMIT = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Type: text/html\r\nContent-Length: 22\r\n"
    b"Connection: close\r\n\r\n<html>slow down</html>"
)
OUTAGE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nContent-Length: 17\r\n"
    b"Connection: close\r\n\r\n<html>gone</html>"
)
PAGE = r"^GET /rest/v1/messages.*created_at"


def test_t21_a_limit_on_a_long_way_up(client_of, server, proxy):
    ana = client_of("ana", f"http://127.0.0.1:{proxy.port}")
    assert ana.quit() == 0
    ben = Person(server, "ben")
    room = ben.start([ben.find("ana")])
    ben.send_many(room, [f"line {number:04} of the long talk" for number in range(5_000)])
    ana = client_of("ana")
    ana.terminal.wait_text("line 4999 of the long talk", seconds=60)
    ana.open("Ben")
    proxy.answer(PAGE, LIMIT, times=1000, every=20)
    said = 0
    for step in range(2_000):
        if re.search("line 0000 of the long talk", ana.terminal.text):
            break
        said += "the server asks for patience" in ana.terminal.text
        ana.terminal.key("M-Home")
        ana.terminal.wait_idle(quiet=0.05)
        if step == 10:
            ana.command("say meanwhile")
    assert "line 0000 of the long talk" in ana.terminal.text
    assert said
    pages = [line for line in proxy.requests if re.search(PAGE, line)]
    assert len(pages) < 80, "a pause is a pause, however often somebody scrolls"
    assert ben.bodies(room)[-1] == "meanwhile"


def at_least(attempt, person):
    """The number of the attempt on the banner, once it is so high; pauses may be too short to see each."""
    found = re.search(r"attempt (\d+)", person.terminal.text)
    return int(found[1]) if found and int(found[1]) >= attempt else None


def test_t22_an_outage_of_everything_is_waited_out(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.answer(".", OUTAGE, times=100_000)
    proxy.cut()
    ana.wait_banner()
    ana.send("through the outage")
    ana.wait_mark("through the outage", WAITING)
    used = ana.terminal.cpu_seconds()
    shown = ana.terminal.wait(lambda: at_least(6, ana), "sixth attempt", seconds=90)
    assert openings(proxy) <= shown + 1, "a try counts once, and the next may have begun meanwhile"
    assert ana.terminal.cpu_seconds() - used < 1
    ana.terminal.wait_text("The server is not available")
    proxy.heal()
    ana.terminal.wait_gone(BANNER, seconds=45)
    ana.wait_mark("through the outage", SENT)
    ana.terminal.wait_text(CONNECTED)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["through the outage"]


def test_t22_the_servers_own_time_is_on_the_banner(client_of, server, proxy):
    ana, _ = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.answer(".", OUTAGE.replace(b"\r\n\r\n", b"\r\nRetry-After: 300\r\n\r\n"), times=100_000)
    proxy.cut()
    ana.terminal.wait_text(r"next in (29\d|300) s")
    ana.terminal.wait_text("The server is not available")
    proxy.heal()
    ana.terminal.key("M-r")
    ana.terminal.wait_gone(BANNER, seconds=5)
