"""The harness itself, tried on small programs: a driver that sees nothing proves nothing."""

import http.client
import http.server
import signal
import socket
import sys
import threading

import pytest

from faultproxy import FaultProxy
from terminal import WaitTimeout

SHELL = ["bash", "--norc", "--noprofile", "-i"]


def test_a_shell_shows_what_is_typed_and_ends_clean(terminal):
    shell = terminal(SHELL, env={"PS1": "ready> "})
    shell.wait_text("ready>")
    shell.type("echo $((6 * 7))")
    shell.key("Enter")
    shell.wait_text(r"\n42\n")
    shell.type("exit 3")
    shell.key("Enter")
    assert shell.wait_exit() == 3
    assert shell.leftovers() == []


def test_modes_that_stay_are_named(terminal):
    program = terminal(["bash", "-c", r"stty -echo; printf '\e[?1049h\e[?25l\e[?2004h\e[3;5r\e[31m'"])
    program.wait_exit()
    assert program.leftovers() == [
        "alternate screen", "bracketed paste", "cursor hidden", "scroll region", "colours", "local flags",
    ]  # fmt: skip


def test_modes_that_are_put_back_are_not(terminal):
    program = terminal(["bash", "-c", r"printf '\e[?1049h\e[?25l\e[31mred\e[0m\e[?25h\e[?1049l'"])
    program.wait_exit()
    assert program.leftovers() == []


def test_repeats_and_scrolls_reach_the_screen(terminal):
    program = terminal(["bash", "-c", r"printf '\e[2J\e[Hone\ntwo\nx\e[4b\e[S'; read"], columns=20, rows=4)
    program.wait_text("xxxxx")
    program.wait(lambda: program.screen.display[0].startswith("two"), "a scrolled screen")


def test_a_saved_place_is_gone_back_to_twice(terminal):
    program = terminal(["bash", "-c", r"printf '\e[2J\e[3;5H\e7one\e8two\e8\e[Cthree'; read"])
    program.wait_text("    tthree")


def test_a_resize_reaches_the_program(terminal):
    code = "import os, signal; changes = {signal.SIGWINCH}; signal.pthread_sigmask(signal.SIG_BLOCK, changes)\n"
    code += "while True: print(os.get_terminal_size(), flush=True); signal.sigwait(changes)"
    program = terminal([sys.executable, "-c", code], columns=90, rows=20)
    program.wait_text("columns=90, lines=20")
    program.resize(50, 11)
    program.wait_text("columns=50, lines=11")


def test_a_closed_terminal_hangs_up(terminal):
    shell = terminal(SHELL, env={"PS1": "ready> "})
    shell.wait_text("ready>")
    shell.hang_up()
    assert shell.wait_exit() in (-signal.SIGHUP, 128 + signal.SIGHUP, 1)


def test_a_wait_in_vain_shows_the_screen(terminal):
    program = terminal(["bash", "-c", "echo here I am; read"])
    with pytest.raises(WaitTimeout, match="here I am"):
        program.wait_text("somebody else", seconds=0.3)


def test_an_end_before_the_text_is_said(terminal):
    program = terminal(["false"])
    with pytest.raises(WaitTimeout, match="ended with 1"):
        program.wait_text("anything")


@pytest.fixture
def counted():
    """A web server that answers `ok`, and the requests it got."""

    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        got = []

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            Answer.got.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, Answer.got
    server.shutdown()
    server.server_close()


def post(port, path="/a"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=0.5)
    connection.request("POST", path, body="{}")
    return connection.getresponse().read()


def test_the_proxy_carries_and_remembers(counted):
    proxy = FaultProxy(counted[0])
    assert post(proxy.port) == b"ok"
    proxy.wait_request("POST /a")
    proxy.close()


def test_a_swallowed_answer_reached_the_server(counted):
    proxy = FaultProxy(counted[0])
    proxy.swallow_answer("POST /a")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        post(proxy.port)
    proxy.wait_used()
    assert counted[1] == ["/a"]
    assert post(proxy.port) == b"ok"
    proxy.close()


def test_a_canned_answer_never_reaches_the_server(counted):
    proxy = FaultProxy(counted[0])
    proxy.answer("POST /a", b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy")
    assert post(proxy.port) == b"busy"
    assert counted[1] == []
    proxy.close()


def test_a_silent_link_times_out_and_a_refusing_one_resets(counted):
    proxy = FaultProxy(counted[0])
    proxy.silent = True
    with pytest.raises(socket.timeout):
        post(proxy.port)
    proxy.heal()
    proxy.refusing = True
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        post(proxy.port)
    proxy.heal()
    assert post(proxy.port) == b"ok"
    proxy.close()


def test_a_held_request_goes_quiet_after_its_bytes(counted):
    proxy = FaultProxy(counted[0])
    proxy.hold("POST /a", after=20)
    with pytest.raises(socket.timeout):
        post(proxy.port)
    assert counted[1] == []
    assert post(proxy.port) == b"ok"
    proxy.close()


def test_one_of_so_many_is_answered_by_the_proxy(counted):
    proxy = FaultProxy(counted[0])
    proxy.answer("POST /a", b"HTTP/1.1 429 Slow\r\nContent-Length: 4\r\n\r\nslow", times=10, every=3)
    assert [post(proxy.port) for _ in range(6)] == [b"ok", b"ok", b"slow"] * 2
    proxy.close()
