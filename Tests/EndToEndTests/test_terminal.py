"""The terminal: any size, any text, any end."""

import re
import signal

import pytest

from client import CONNECTED
from person import Person

HOSTILE = (
    "\x1b[2J\x1b[31mred\x1b]0;owned\x07\x1b]52;c;ZWNobw==\x07\x9b5mblink\x1bP1$r\x1b\\ \x08\x08\x0e\x0f "
    "\u202eright to left\u202c \u200b\u2066x\u2069 \x1b[?1049l\x1b[6n\x1bc end"
)


@pytest.fixture
def talking(client_of, server):
    """ana on a screen, in a conversation with ben that has some messages."""
    ana = client_of("ana", server.url)
    ben = Person(server, "ben")
    conversation = ben.start([ben.find("ana")])
    for number in range(30):
        ben.send(conversation, f"message {number} with a few words so that it has to be wrapped on a narrow screen")
    ana.terminal.wait_text("Ben")
    ana.open("Ben")
    ana.terminal.wait_text("message 29")
    return ana, ben, conversation


def test_tiny_windows_crash_nothing(talking):
    ana, _, _ = talking
    for columns, rows in ((20, 5), (19, 4), (1, 1), (2, 40), (200, 1), (59, 20), (20, 5), (100, 30)):
        ana.terminal.resize(columns, rows)
        ana.terminal.type("x")
        ana.terminal.wait_idle()
        assert ana.terminal.process.poll() is None
    ana.terminal.wait_text("message 29")
    ana.terminal.wait_text(CONNECTED)


def test_a_resize_storm_ends_in_the_right_picture(talking):
    ana, _, _ = talking
    ana.terminal.wait_idle()
    before = ana.terminal.text
    for step in range(200):
        ana.terminal.resize(20 + step * 37 % 140, 5 + step * 13 % 50)
    ana.terminal.resize(100, 30)
    ana.terminal.wait_idle()
    assert ana.terminal.text == before


def test_hostile_text_changes_nothing(talking):
    ana, ben, conversation = talking
    ana.terminal.wait_idle()  # between frames, not inside a character
    start = len(ana.terminal.output)
    titles = list(ana.terminal.screen.titles)
    ben.send(conversation, HOSTILE)
    ana.terminal.wait_text("right to left")
    group = ben.start([ben.find("ana")], title=HOSTILE)
    ben.send(group, "in the group")
    ana.terminal.wait_text("in the group")
    ana.terminal.wait_idle()

    output = bytes(ana.terminal.output[start:])
    for forbidden in (b"\x1b]0;owned", b"\x1b]52", b"\x1b[2J\x1b[31m", b"\x1bP", b"\x1bc", b"\x9b5m", b"\x1b[6n"):
        assert forbidden not in output, forbidden
    text = output.decode(errors="strict")
    assert not re.search("[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200b]", text)
    assert not any("owned" in title and "\x1b" in title for title in ana.terminal.screen.titles[len(titles) :])
    assert "␛" in ana.terminal.text
    frame = [row for row in ana.terminal.screen.display if "│" in row]
    assert len({row.rstrip()[-1] for row in frame}) == 1, "the right border stands in every row"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_gives_the_terminal_back(talking, number):
    ana, _, _ = talking
    ana.terminal.signal(number)
    ana.terminal.wait_exit(seconds=3)
    assert ana.terminal.leftovers() == []


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL])
def test_a_crash_gives_the_terminal_back(talking, number):
    ana, _, _ = talking
    ana.terminal.signal(number)
    assert ana.terminal.wait_exit(seconds=5) == -number
    assert ana.terminal.leftovers() == []


def test_quitting_gives_the_terminal_back(talking):
    ana, _, _ = talking
    assert ana.quit() == 0
    assert ana.terminal.leftovers() == []


def test_a_closed_terminal_ends_the_program(talking):
    ana, _, _ = talking
    ana.terminal.hang_up()
    ana.terminal.wait_exit(seconds=3)


def test_a_stop_that_nobody_announced_leaves_the_title_as_it_was(talking):
    ana, _, _ = talking
    ana.terminal.signal(signal.SIGSTOP)
    ana.terminal.signal(signal.SIGCONT)
    ana.terminal.wait_idle()
    assert ana.quit() == 0
    output = bytes(ana.terminal.output)
    assert output.count(b"\x1b[22;0;0t") == output.count(b"\x1b[23;0;0t"), "titles kept and brought back"
    assert ana.terminal.leftovers() == []
