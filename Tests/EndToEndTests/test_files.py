"""Files from one screen to another, whatever happens to what is between."""

import hashlib
import os
import re
import select
import time
import uuid

import pytest

from client import CONNECTED, SENT
from person import Refused
from server import Server
from test_talk import meet

LINE = "⤓ film.bin 3.0 MB"


def attach(ana, folder, size=3_000_000):
    """Puts a file of random bytes beside the text of the open conversation; gives the bytes."""
    path = folder / "film.bin"
    path.write_bytes(os.urandom(size))
    ana.command(f"attach {path}")
    ana.terminal.wait_text(re.escape(LINE))
    return path.read_bytes()


def test_a_file_arrives_as_it_was_sent(client_of, server, tmp_path):
    ana, ben = client_of("ana", server.url), client_of("ben", server.url)
    ana.start("ben")
    sent = attach(ana, tmp_path)
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT)

    ben.terminal.wait_text("film.bin")  # in the list
    ben.open("Ana")
    (tmp_path / "saved").mkdir()
    ben.command(f"save {tmp_path / 'saved'}")
    ben.terminal.wait_text("Saved as")
    assert (tmp_path / "saved/film.bin").read_bytes() == sent


def test_a_swallowed_upload_and_a_killed_client_send_a_file_once(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.swallow_answer(r"^POST /storage/v1/object/attachments/", times=1000)
    ana.terminal.key("Enter")
    proxy.wait_request(r"^POST /storage/v1/object/attachments/")
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    proxy.heal()

    ana = client_of("ana")
    ana.open("Ben")
    ana.send("and then this")
    ana.wait_mark("and then this", SENT, seconds=45)
    ana.wait_mark(LINE, SENT)
    conversation = ben.conversations()[0]["id"]
    assert ben.bodies(conversation) == ["", "and then this"]
    folder = {"prefix": conversation, "limit": 100, "offset": 0}
    assert len(ben.call("POST", "/storage/v1/object/list/attachments", folder)) == 1


def test_what_cannot_be_attached_is_told(client_of, server, tmp_path):
    ana, _ = meet(client_of, server)
    ana.command(f"attach {tmp_path / 'nothing'}")
    ana.terminal.wait_text("There is no such file")


def objects(server):
    """The files that the server keeps, by their content."""
    return sorted(path.name for path in (server.directory / "storage/objects").iterdir())


def delete_newest(client):
    """Deletes the newest message, after its question."""
    client.command("delete")
    client.terminal.wait_text("Delete this message")
    client.terminal.key("d")
    client.terminal.wait_gone("Delete this message")
    client.terminal.key("Enter")  # back to the composer
    client.terminal.wait_idle()


def test_a_deleted_message_takes_its_file_along(client_of, server, tmp_path):
    ana, _ = meet(client_of, server)
    attach(ana, tmp_path)
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT)
    assert len(objects(server)) == 1
    delete_newest(ana)
    server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 0)
    wait_until(lambda: not objects(server))  # the row goes first


def test_a_deleted_message_takes_its_file_along_through_a_cut_and_a_kill(client_of, server, proxy, tmp_path):
    ana, _ = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT)
    proxy.refusing = True
    proxy.cut()
    ana.wait_banner()
    delete_newest(ana)
    ana.terminal.wait_gone(re.escape(LINE))
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    assert server.health()["rows"]["storage_objects"] == 1

    # Back again, the removal itself is cut once: the message is gone, the file still there.
    proxy.swallow_answer(r"^POST /storage/v1/object/list/attachments")
    proxy.refusing = False
    ana = client_of("ana")
    proxy.wait_used()
    ana.terminal.process.kill()
    ana.terminal.wait_exit()
    client_of("ana").terminal.wait_text(CONNECTED, seconds=45)
    server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 0)
    wait_until(lambda: not objects(server))  # the row goes first


def test_t72_a_message_that_is_dropped_after_its_upload_leaves_no_file(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.swallow_answer(r"^POST /storage/v1/object/attachments/", times=1000)
    proxy.swallow_answer(r"^GET /storage/v1/object/info/", times=1000)
    ana.terminal.key("Enter")
    server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 1)
    delete_newest(ana)
    ana.terminal.wait_gone(re.escape(LINE))
    proxy.heal()
    server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 0, seconds=45)
    wait_until(lambda: not objects(server))  # the row goes first
    assert ben.bodies(ben.conversations()[0]["id"]) == []


def incoming(server):
    """Files that the server has not whole."""
    return list((server.directory / "storage/incoming").iterdir())


def test_a_message_that_is_dropped_during_its_upload_leaves_no_file(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.hold("^POST /storage/v1/object/attachments/", after=1_500_000)  # else it may be there before it is dropped
    ana.terminal.key("Enter")
    wait_until(lambda: incoming(server))
    delete_newest(ana)
    ana.terminal.wait_gone(re.escape(LINE))
    proxy.heal()
    ana.send("and then this")
    ana.wait_mark("and then this", SENT)
    wait_until(lambda: not incoming(server))
    wait_until(lambda: not objects(server))  # the row goes first
    assert ben.bodies(ben.conversations()[0]["id"]) == ["and then this"]


def test_a_server_that_is_killed_during_an_upload_has_the_file_once(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.delay = 0.05
    ana.terminal.key("Enter")
    wait_until(lambda: incoming(server))
    server.kill()
    assert len(incoming(server)) == 1  # half of it
    proxy.delay = 0.0
    ana.wait_banner()
    server.start()
    ana.wait_mark(LINE, SENT, seconds=45)
    assert len(objects(server)) == 1 and incoming(server) == []
    assert ben.bodies(ben.conversations()[0]["id"]) == [""]


def test_t72_a_file_whose_answer_was_lost_is_not_sent_again(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    attach(ana, tmp_path)
    proxy.swallow_answer(r"^POST /storage/v1/object/attachments/")
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT, seconds=45)
    sent = [line for line in proxy.requests if re.match(r"POST /storage/v1/object/attachments/", line)]
    assert len(sent) == 1
    # A different file of the same name is a file of its own.
    attach(ana, tmp_path)
    ana.terminal.key("Enter")
    server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 2)
    assert len(objects(server)) == 2


@pytest.fixture
def small_server(binary, surroundings, tmp_path):
    """A server that gives each account 4 MB for files."""
    one = Server(binary, tmp_path / "served", surroundings("server"), options=("--account-files", "4"))
    one.start()
    yield one
    one.close()


def test_what_the_quota_refuses_is_told_and_goes_out_later(client_of, small_server, tmp_path):
    ana, ben = meet(client_of, small_server)
    attach(ana, tmp_path)
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT)
    second = tmp_path / "second.bin"
    second.write_bytes(os.urandom(2_000_000))
    ana.command(f"attach {second}")
    ana.terminal.wait_text("second.bin 2.0 MB")
    ana.terminal.key("Enter")
    ana.terminal.wait_text("Your files take all the room")
    ana.send("still here")
    ana.wait_mark("still here", SENT)

    # Room is made, and the same message sent again.
    ana.terminal.key("Esc")
    ana.terminal.wait_idle()
    ana.terminal.key("g")
    ana.terminal.wait_idle()
    ana.terminal.key("d", "d")
    ana.terminal.wait_text("Delete this message")
    ana.terminal.key("d")
    ana.terminal.wait_gone("Delete this message")
    small_server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 0)
    assert ben.call("GET", "/rest/v1/messages?select=image_path&order=created_at")[0] == {"image_path": None}
    ana.command("resend")
    small_server.wait_health(lambda counters: counters["rows"]["storage_objects"] == 1)
    ana.terminal.wait_gone("Your files take all the room")


def test_a_full_server_tells_why_also_who_sends_at_once(client_of, binary, surroundings, tmp_path):
    server = Server(binary, tmp_path / "served", surroundings("server"), options=("--all-files", "2"))
    server.start()
    try:
        ana, ben = meet(client_of, server)
        attach(ana, tmp_path)
        ana.terminal.key("Enter")
        ana.terminal.wait_text("The server has no room for the file")
        # A client that asks nothing first reads it behind the body.
        path = f"/storage/v1/object/attachments/{ben.conversations()[0]['id']}/{uuid.uuid4()}/film.bin"
        with pytest.raises(Refused, match="StorageFull"):
            ben.call("POST", path, "x" * 5_000_000)
        assert incoming(server) == [] and objects(server) == []
        ana.send("still here")
        ana.wait_mark("still here", SENT)
    finally:
        server.close()


def forget_peak(process):
    """From here on the peak is that of what is done now: hashing a password alone takes 64 MB."""
    with open(f"/proc/{process.pid}/clear_refs", "w") as file:
        file.write("5")


def peak_kilobytes(process):
    """The most memory the process had since `forget_peak`."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def test_fifty_megabytes_arrive_unchanged_and_nobodys_memory_grows(client_of, server, tmp_path, capsys):
    ana, ben = client_of("ana", server.url), client_of("ben", server.url)
    ana.start("ben")
    ana.send("first a word")
    ana.wait_mark("first a word", SENT)
    ben.terminal.wait_text("first a word")
    ben.open("Ana")
    film = tmp_path / "film.bin"
    with open(film, "wb") as file:
        for _ in range(50):
            file.write(os.urandom(1 << 20))
    everybody = {"server": server.process, "ana": ana.terminal.process, "ben": ben.terminal.process}
    for process in everybody.values():
        forget_peak(process)
    before = {name: peak_kilobytes(process) for name, process in everybody.items()}

    line = "⤓ film.bin 52.4 MB"
    ana.command(f"attach {film}")
    ana.terminal.wait_text(re.escape(line), seconds=60)
    ana.terminal.key("Enter")
    ana.wait_mark(line, SENT, seconds=120)
    ben.terminal.wait_text(re.escape(line))
    (tmp_path / "saved").mkdir()
    ben.command(f"save {tmp_path / 'saved'}")
    ben.terminal.wait_text("Saved as", seconds=120)

    assert film.stat().st_size == 50 << 20
    assert sha256(tmp_path / "saved/film.bin") == sha256(film)
    after = {name: peak_kilobytes(process) for name, process in everybody.items()}
    with capsys.disabled():
        for name in everybody:
            grown = after[name] - before[name]
            print(f"\n  {name}: peak memory {before[name] / 1024:.1f} MB before, {grown / 1024:+.1f} MB", end="")
    assert all(after[name] - before[name] < 24 << 10 for name in everybody)


def test_t73_a_killed_save_leaves_nothing_that_looks_finished_and_goes_on(client_of, server, proxy, tmp_path):
    ana = client_of("ana", server.url)
    ben = client_of("ben", f"http://127.0.0.1:{proxy.port}")
    ana.start("ben")
    sent = attach(ana, tmp_path)
    ana.terminal.key("Enter")
    ana.wait_mark(LINE, SENT)
    ben.terminal.wait_text("film.bin")
    ben.open("Ana")
    saved = tmp_path / "saved"
    saved.mkdir()
    proxy.delay = 0.05  # each piece of 64 kB: some seconds for the whole
    ben.command(f"save {saved}")
    wait_until(lambda: any(path.stat().st_size > 200_000 for path in saved.iterdir()))
    ben.terminal.process.kill()
    ben.terminal.wait_exit()
    left = list(saved.iterdir())
    assert len(left) == 1 and left[0].name.startswith(".pingline-") and left[0].name.endswith(".part")
    assert left[0].read_bytes() == sent[: left[0].stat().st_size]

    proxy.heal()
    ben = client_of("ben")
    ben.open("Ana")
    ben.command(f"save {saved}")
    ben.terminal.wait_text("Saved as")
    assert [path.name for path in saved.iterdir()] == ["film.bin"]
    assert (saved / "film.bin").read_bytes() == sent
    assert any(re.match(r"GET /storage/v1/object/authenticated/", line) for line in proxy.requests)


def test_t69_an_empty_file_is_sent_and_saved(client_of, server, tmp_path):
    ana, ben = client_of("ana", server.url), client_of("ben", server.url)
    ana.start("ben")
    (tmp_path / "nothing.bin").touch()
    ana.command(f"attach {tmp_path / 'nothing.bin'}")
    ana.terminal.wait_text("nothing.bin 0 B")
    ana.terminal.key("Enter")
    ana.wait_mark("nothing.bin 0 B", SENT)
    ben.terminal.wait_text("nothing.bin")
    ben.open("Ana")
    (tmp_path / "saved").mkdir()
    ben.command(f"save {tmp_path / 'saved'}")
    ben.terminal.wait_text("Saved as")
    assert (tmp_path / "saved/nothing.bin").read_bytes() == b""


def test_paths_are_completed_with_tab(client_of, server, tmp_path):
    ana, _ = meet(client_of, server)
    home = tmp_path / "ana"
    for name in ("My Cat.png", "My Car.png", "x\n\x1b[31my"):
        (home / "Pictures").mkdir(exist_ok=True)
        (home / "Pictures" / name).write_bytes(b"12345")
    ana.terminal.key("Esc")
    ana.terminal.wait_idle()
    ana.terminal.type(":att")
    ana.terminal.wait_text(r"\n ?:att")
    ana.terminal.key("Tab")
    ana.terminal.wait_text(r":attach$")
    ana.terminal.type("~/Pic")
    ana.terminal.wait_text(r":attach ~/Pic")
    ana.terminal.key("Tab")
    ana.terminal.wait_text(r":attach ~/Pictures/")
    ana.terminal.type("M")
    ana.terminal.wait_text(r":attach ~/Pictures/M")
    ana.terminal.key("Tab")
    ana.terminal.wait_text(r"My Car\.png\n?(.|\n)*My Cat\.png(.|\n)*:attach ~/Pictures/My Ca")
    ana.terminal.key("Tab", "Tab")
    ana.terminal.wait_text(r":attach ~/Pictures/My Cat\.png")
    ana.terminal.key("Enter")
    ana.terminal.wait_text(re.escape("⤓ My Cat.png 5 B"))


def wait_until(condition, seconds=20.0):
    """Asks until the condition holds; for what no process tells by itself."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        select.select([], [], [], 0.02)
