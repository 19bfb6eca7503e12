"""Trials of links that stay down and messages that stay on their way, as they were reported of other programs."""

import pathlib
import random
import signal
import socket

import pytest

from client import BANNER, CONNECTED, SENT, WAITING, Client
from person import Person
from places import with_own_names
from test_files import LINE, attach
from test_talk import meet

TRIALS = pathlib.Path(__file__).parent / "Trials"
OPENING, INSERT = r"^GET /realtime/", r"^POST /rest/v1/messages"


def openings(proxy):
    return sum(line.startswith("GET /realtime/") for line in proxy.requests)


def test_t16_ten_cuts_leave_one_socket_and_one_join_a_topic(client_of, server, proxy, tmp_path):
    people = [Person(server, name) for name in ("ben", "cleo", "dana", "emil", "fay")]
    ana = client_of("ana", f"http://127.0.0.1:{proxy.port}")
    rooms = {}
    for person in people:
        rooms[person] = person.start([person.find("ana")])
        person.send(rooms[person], f"hello from {person.name}")
        ana.terminal.wait_text(f"hello from {person.name}")
        ana.open(person.name.capitalize())
    proxy.delay = 0.03
    chance, joins = random.Random(16), lambda: [frame for frame in proxy.frames if frame["event"] == "phx_join"]
    for number in range(10):
        before, joined = openings(proxy), len(joins())
        proxy.cut()
        ana.terminal.key("M-r")
        if chance.random() < 0.3:
            continue  # cut again while it connects
        proxy.wait_request(OPENING, before + 1, seconds=45)
        if number % 2:  # between a join and its answer
            proxy.wait_frame(lambda _: len(joins()) > joined, "a join", seconds=45)
    proxy.delay = 0.0
    ana.terminal.wait_text(CONNECTED, seconds=60)
    server.wait_health(lambda counters: counters["sockets"] == 1)
    last = openings(proxy)
    for person in people:
        person.send(rooms[person], f"at last from {person.name}")
        ana.terminal.wait_text(f"at last from {person.name}")
    counters = server.health()
    assert (counters["sockets"], counters["channels"]) == (1, 1 + len(people))
    assert openings(proxy) == last
    log = (tmp_path / "ana/state/pingline/pingline.log").read_text().splitlines()
    assert len(log) < 400
    assert not [line for line in log if " error " in line]


def test_t17_stopped_in_the_middle_of_reconnecting(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    room = ben.conversations()[0]["id"]
    for number in range(20):
        before = openings(proxy)
        ana.terminal.signal(signal.SIGSTOP)
        proxy.cut()  # as by a server that waited too long
        ana.terminal.signal(signal.SIGCONT)
        if number % 4 == 3:  # else it is stopped again at once
            ana.terminal.key("M-r")
            proxy.wait_request(OPENING, before + 1, seconds=45)
    ben.send(room, "after the last wake")
    ana.terminal.wait_text("after the last wake", seconds=35)
    ana.terminal.wait_text(CONNECTED)


def test_t17_a_dead_stream_beside_living_requests(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    room = ben.conversations()[0]["id"]
    proxy.silent_sockets = True
    ben.send(room, "into a dead stream")
    ana.terminal.wait_text(BANNER, seconds=45)
    proxy.heal()
    ana.terminal.key("M-r")
    ana.terminal.wait_text("into a dead stream", seconds=35)
    ana.terminal.wait_gone(BANNER, seconds=35)


def test_t18_a_login_page_gets_neither_token_nor_text(client_of, server, proxy):
    stranger = socket.create_server(("127.0.0.1", 0))
    stranger.settimeout(0)
    page = (TRIALS / "T18-redirect302.http").read_bytes()
    page = page.replace(b"login.example.test", b"127.0.0.1:%d" % stranger.getsockname()[1])
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.answer(INSERT, page, times=1000)
    ana.send("not to strangers")
    proxy.wait_request(INSERT, 3)
    ana.wait_mark("not to strangers", WAITING)
    tried = sum(line.startswith("POST /rest/v1/messages") for line in proxy.requests)
    assert tried < 10, "no loop"
    with pytest.raises(BlockingIOError):
        stranger.accept()
    assert ben.bodies(ben.conversations()[0]["id"]) == []
    proxy.heal()
    ana.wait_mark("not to strangers", SENT, seconds=45)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["not to strangers"]
    stranger.close()


@pytest.mark.parametrize("asked", [True, False])
def test_t19_a_name_that_is_found_again(terminal, binary, server, tmp_path, asked):
    address = f"http://chat.example.test:{server.port}"
    settings = tmp_path / "ana/config/pingline"
    settings.mkdir(parents=True, mode=0o700)
    (settings / "config.toml").write_text(
        f'[[accounts]]\nname = "team"\nservice = "supabase"\nurl = "{address}"\nallow_plain_http = true\n'
    )
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost chat.example.test\n")
    ana = Client(terminal(with_own_names([binary], hosts), name="ana"))
    ana.sign_up(address, "ana")
    ana.terminal.wait_text(CONNECTED)
    hosts.write_text("127.0.0.1 localhost\n")
    server.kill()
    ana.wait_banner()
    server.start()
    ana.terminal.wait_text(r"attempt ([4-9]|\d\d), next in \d+ s", seconds=45)
    ana.terminal.wait_text("The server.s name is not found")
    hosts.write_text("127.0.0.1 localhost chat.example.test\n")
    if asked:
        ana.terminal.key("M-r")
    ana.terminal.wait_text(CONNECTED, seconds=5 if asked else 35)


def test_t12_t20_killed_with_an_insert_on_its_way(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.hold(INSERT)
    ana.send("limbo")
    proxy.wait_request(INSERT)
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    ana = client_of("ana")
    ana.open("Ben")
    ana.wait_mark("limbo", SENT, seconds=10)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["limbo"]


def test_t20_killed_with_half_an_upload_on_its_way(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.hold("^POST /storage/v1/object/attachments/", after=1_500_000)
    ana.terminal.key("Enter")
    proxy.wait_request("^POST /storage/v1/object/attachments/")
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    ana = client_of("ana")
    ana.open("Ben")
    ana.wait_mark(LINE, SENT, seconds=30)
    conversation = ben.conversations()[0]["id"]
    assert ben.bodies(conversation) == [""]
    folder = {"prefix": conversation, "limit": 100, "offset": 0}
    assert len(ben.call("POST", "/storage/v1/object/list/attachments", folder)) == 1


def test_t20_an_insert_without_an_answer_is_tried_again(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.hold(INSERT)
    ana.send("held back")
    ana.wait_mark("held back", SENT, seconds=30)
    assert ben.bodies(ben.conversations()[0]["id"]) == ["held back"]
