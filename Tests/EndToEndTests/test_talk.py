"""Two people, two terminals, one server: what one sends the other gets, whatever happens to what is between."""

import re

from client import BANNER, CONNECTED, DELIVERED, READ, SENT, WAITING
from person import Person


def meet(client_of, server, address=None):
    """ana on a screen with an open conversation with ben, who has none."""
    ben = Person(server, "ben")
    ana = client_of("ana", address or server.url)
    ana.start("ben")
    return ana, ben


def test_two_people_talk(client_of, server):
    ana, ben = client_of("ana", server.url), client_of("ben", server.url)
    ana.start("ben")
    ana.send("Are you there?")
    ana.wait_mark("Are you there?", SENT)

    ben.terminal.wait_text("Are you there?")  # in the list, without a key pressed
    ana.wait_mark("Are you there?", DELIVERED)
    ben.open("Ana")
    ana.wait_mark("Are you there?", READ)

    ben.send("Always.")
    ana.terminal.wait_text("Always.")
    ben.wait_mark("Always.", READ)


def test_typing_shows_on_the_other_side(client_of, server):
    ana, ben = client_of("ana", server.url), client_of("ben", server.url)
    ana.start("ben")
    ana.send("hello")
    ben.terminal.wait_text("hello")
    ben.open("Ana")
    ben.terminal.type("well, ")
    ana.terminal.wait_text("typing")


def test_a_dead_server_and_a_dead_client_lose_nothing(client_of, server):
    ana, ben = meet(client_of, server)
    ana.send("before")
    ana.wait_mark("before", SENT)

    server.kill()
    ana.wait_banner()
    ana.terminal.wait_text(r"next in \d+ s")
    first = re.search(r"next in (\d+) s", ana.terminal.text).group(1)
    ana.terminal.wait_gone(rf"next in {first} s")  # it counts
    for text in ("one of three", "two of three", "three of three"):
        ana.send(text)
        ana.wait_mark(text, WAITING)
    ana.terminal.process.kill()
    ana.terminal.wait_exit()

    ana = client_of("ana")
    ana.open("Ben")
    for text in ("one of three", "two of three", "three of three"):
        ana.wait_mark(text, WAITING)

    server.start()
    ana.terminal.wait_gone(BANNER, seconds=45)
    ana.wait_mark("three of three", SENT, seconds=45)
    conversation = ben.conversations()[0]["id"]
    assert ben.bodies(conversation) == ["before", "one of three", "two of three", "three of three"]
    assert [ana.thread.count(text) for text in ("one of three", "two of three", "three of three")] == [1, 1, 1]


def test_a_swallowed_answer_sends_once(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.swallow_answer(r"^POST /rest/v1/messages")
    ana.send("only once")
    proxy.wait_used()
    ana.send("and then this")
    ana.wait_mark("and then this", SENT, seconds=45)
    ana.wait_mark("only once", SENT)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["only once", "and then this"]


def test_a_swallowed_answer_and_a_killed_client_send_once(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.swallow_answer(r"^POST /rest/v1/messages", times=1000)
    ana.send("only once")
    proxy.wait_request(r"^POST /rest/v1/messages")
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    proxy.heal()

    ana = client_of("ana")
    ana.open("Ben")
    ana.wait_mark("only once", SENT, seconds=45)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["only once"]


def test_a_thousand_openings_leave_no_channel(client_of, server):
    ben, cleo = Person(server, "ben"), Person(server, "cleo")
    ana = client_of("ana", server.url)
    for person in (ben, cleo):
        person.send(person.start([person.find("ana")]), f"hello from {person.name}")
        ana.terminal.wait_text(f"hello from {person.name}")
    for title in ("Ben", "Cleo"):
        ana.open(title)
    before = settled_channels(server)
    for _ in range(500):
        for key, title in (("\x1b2", "Ben"), ("\x1b1", "Cleo")):
            ana.terminal.type(key)
            ana.wait_open(title)
    ana.terminal.wait_text(CONNECTED)
    server.wait_health(lambda counters: counters["channels"] == before)


def settled_channels(server):
    """The count of channels once it is the same twice in a row."""
    counts = []
    server.wait_health(lambda counters: counts.append(counters["channels"]) or counts[-2:] == [counts[-1]] * 2)
    return counts[-1]
