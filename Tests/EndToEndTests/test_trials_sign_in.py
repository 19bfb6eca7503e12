"""Trials of sessions that are renewed, revoked and carried on, as they were reported of other programs."""

import base64
import fcntl
import http.client
import json
import os

import pytest

from client import CONNECTED, SENT, WAITING
from person import Person
from server import Server

REFRESH = r"^POST /auth/v1/token\?grant_type=refresh_token"
REVOKED = b'{"error":"invalid_grant","error_description":"Invalid Refresh Token: Refresh Token Not Found"}'


@pytest.fixture
def server(binary, surroundings, tmp_path):
    """A server whose tokens live for six seconds and whose refresh tokens work once."""
    options = ("--token-lifetime", "6", "--refresh-window", "0")
    one = Server(binary, tmp_path / "served", surroundings("server"), options)
    one.start()
    yield one
    one.close()


def account_folder(home):
    (folder,) = (home / "data/pingline/accounts").iterdir()
    return folder


def meet(client_of, server, proxy):
    ben = Person(server, "ben")
    ana = client_of("ana", f"http://127.0.0.1:{proxy.port}")
    ana.start("ben")
    return ana, ben, ben.conversations()[0]["id"]


def refreshes(proxy):
    return sum("grant_type=refresh_token" in line for line in proxy.requests)


def answered(status, body):
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


def test_t23_a_second_program_is_refused_and_spends_nothing(client_of, server, proxy, terminal, binary, tmp_path):
    ana, ben, room = meet(client_of, server, proxy)
    for number in range(20):
        other = tmp_path / f"config{number}"
        other.mkdir(mode=0o700)
        env = {"XDG_CONFIG_HOME": str(other)} if number % 2 else {}
        second = terminal([binary], name="ana", env=env)
        second.wait_text(rf"process {ana.terminal.process.pid}\b")
        second.wait_text("Close it there")
        second.key("Esc")
        assert second.wait_exit() == 0
    proxy.wait_request(REFRESH, 2, seconds=30)
    ben.send(room, "still there?")
    ana.terminal.wait_text("still there?")
    ana.terminal.wait_text(CONNECTED)


def test_t23_another_process_with_the_same_store_is_waited_for(client_of, server, proxy, tmp_path):
    ana, _, _ = meet(client_of, server, proxy)
    folder = account_folder(tmp_path / "ana")
    for number in range(3):
        proxy.wait_request(REFRESH, refreshes(proxy) + 1, seconds=30)  # the next is some seconds away
        spent = refreshes(proxy)
        with open(folder / "session.lock", "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = json.loads((folder / "secrets.json").read_text())
            session = json.loads(kept["secrets"]["session"])
            fresh = renew(server, session["refresh_token"])
            session |= {name: fresh[name] for name in ("access_token", "refresh_token")}
            life = fresh["expires_in"]
            session |= {"expires_at": fresh["expires_at"], "issued_at": fresh["expires_at"] - life}
            kept["secrets"]["session"] = json.dumps(session)
            beside = folder / "secrets.json.other"
            beside.write_text(json.dumps(kept))
            beside.chmod(0o600)
            os.replace(beside, folder / "secrets.json")
        ana.send(f"round {number}")
        ana.wait_mark(f"round {number}", SENT, seconds=30)
        assert refreshes(proxy) >= spent
    ana.terminal.wait_text(CONNECTED, seconds=30)


def renew(server, token):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    headers = {"apikey": server.key, "Content-Type": "application/json"}
    connection.request("POST", "/auth/v1/token?grant_type=refresh_token", json.dumps({"refresh_token": token}), headers)
    answer = connection.getresponse()
    body = json.load(answer)
    assert answer.status == 200, body
    return body


def test_t24_a_revoked_session_asks_to_sign_in_and_keeps_what_was_typed(client_of, server, proxy):
    ana, ben, room = meet(client_of, server, proxy)
    proxy.answer(REFRESH, answered("400 Bad Request", REVOKED), times=1000)
    ana.terminal.wait_text("You are signed out", seconds=30)
    ana.terminal.wait_text("Sign in again")
    for text in ("first in the queue", "second in the queue"):
        ana.send(text)
        ana.wait_mark(text, WAITING)
    ana.terminal.type("a draft")
    ana.terminal.wait_text("> a draft")
    ana.terminal.key("M-r")
    ana.terminal.wait_text("You are signed out")
    assert refreshes(proxy) <= 3
    proxy.heal()

    Person(server, "cleo")
    sign_in_again(ana, "cleo")
    assert ben.bodies(room) == []

    sign_in_again(ana, "ana")
    ana.open("Ben")
    ana.wait_mark("second in the queue", SENT, seconds=30)
    ana.terminal.wait_text("> a draft")
    assert ben.bodies(room) == ["first in the queue", "second in the queue"]


def sign_in_again(client, name):
    """The form knows the server and who was signed out; another person's e-mail takes the place of theirs."""
    client.command("login")
    client.terminal.wait_text("▌ Password")
    email = f"{name}@example.test"
    if email not in client.terminal.text:
        client.terminal.key("BackTab")
        client.terminal.wait_text("▌ E-mail")
        client.terminal.key("C-u")
        client.enter(email)
    client.fill_password()
    client.terminal.wait_gone("Sign in to a server")


def test_t24_a_server_that_cannot_renew_now_signs_nobody_out(client_of, server, proxy):
    ana, ben, room = meet(client_of, server, proxy)
    page = b"<html>later</html>"
    busy = b"HTTP/1.1 503 Later\r\nContent-Type: text/html\r\nContent-Length: 18\r\nConnection: close\r\n\r\n" + page
    proxy.answer(REFRESH, busy, times=3)
    proxy.wait_used(seconds=45)
    ana.send("after the trouble")
    ana.wait_mark("after the trouble", SENT, seconds=45)
    assert ben.bodies(room) == ["after the trouble"]


def test_t25_a_rejoin_has_the_newest_token(client_of, server, proxy):
    ana, ben, room = meet(client_of, server, proxy)
    proxy.wait_request(REFRESH, 2, seconds=45)
    count = len(proxy.frames)
    proxy.cut()
    is_join = lambda frame: frame["event"] == "phx_join" and frame["topic"].startswith("realtime:pl:")  # noqa: E731
    proxy.wait_frame(lambda frame: is_join(frame) and frame in proxy.frames[count:], "a join after the cut", 45)
    issued = [issued_at(frame["payload"]["access_token"]) for frame in proxy.frames if is_join(frame)]
    assert issued == sorted(issued)
    assert issued[-1] > issued[0]
    ben.send(room, "still here?")
    ana.terminal.wait_text("still here?", seconds=30)
    ana.terminal.wait_text(CONNECTED, seconds=30)


def issued_at(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))["iat"]
