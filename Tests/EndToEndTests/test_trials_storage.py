"""Trials of disks that are full, folders that take nothing, and files that are torn; as they were reported elsewhere."""

import contextlib
import json
import os
import pathlib
import select
import sqlite3
import time

import pytest

from client import CONNECTED, SENT, WAITING, Client
from person import PASSWORD, Person
from places import read_only, small_disk
from server import Server
from test_talk import meet
from test_trials_sign_in import account_folder, refreshes

NOBODY = 65534


@pytest.fixture
def server(binary, surroundings, tmp_path):
    """A server whose tokens live for six seconds and whose refresh tokens work once."""
    options = ("--token-lifetime", "6", "--refresh-window", "0")
    one = Server(binary, tmp_path / "served", surroundings("server"), options)
    one.start()
    yield one
    one.close()


def wait_until(condition, what, seconds=20.0):
    """For what no terminal shows: files."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"no {what} within {seconds} s"
        select.select([], [], [], 0.05)
    return found


def session_of(folder):
    return json.loads(json.loads((folder / "secrets.json").read_text())["secrets"]["session"])


def people(client_of, server, address):
    """ana has talked to ben and is gone; gives ben and their conversation."""
    ana, ben = meet(client_of, server, address)
    room = ben.conversations()[0]["id"]
    ana.send("before")
    ana.wait_mark("before", SENT)
    assert ana.quit() == 0
    return ben, room


# T59: disk full


@pytest.mark.parametrize("options", ["size=8m", "size=64m,nr_inodes=40"])
def test_t59_a_new_session_outlives_a_full_disk(client_of, server, proxy, tmp_path, options):
    with small_disk(tmp_path / "ana/data", options) as disk:
        ben, room = people(client_of, server, f"http://127.0.0.1:{proxy.port}")
        folder = account_folder(tmp_path / "ana")
        spent = session_of(folder)["refresh_token"]
        disk.fill_inodes() if "inodes" in options else disk.fill()

        ana = client_of("ana")
        ana.terminal.wait_text(CONNECTED)
        proxy.wait_request("grant_type=refresh_token", refreshes(proxy) + 1, seconds=30)
        ana.open("Ben")
        ana.send("from a full disk")
        stays = r"> from a full disk[^✓]*The disk is full"
        sent = r"from a full disk +✓"
        ana.terminal.wait_text(rf"(?s){stays}|{sent}", seconds=30)
        assert session_of(folder)["refresh_token"] == spent, "there was no room for another"

        disk.free()
        wait_until(lambda: session_of(folder)["refresh_token"] != spent, "new session on the disk")
        if not ana.terminal.row_of(sent):
            ana.terminal.key("Enter")
        ana.wait_mark("from a full disk", SENT, seconds=30)
        assert ana.quit() == 0
        ana = client_of("ana")
        ana.terminal.wait_text(CONNECTED, seconds=30)
        ana.open("Ben")
        ana.terminal.wait_text("before")
        assert ben.bodies(room) == ["before", "from a full disk"]
        assert ana.quit() == 0


def test_t59_what_is_typed_while_the_disk_is_full_stays_in_the_composer(client_of, server, tmp_path):
    with small_disk(tmp_path / "ana/data", "size=8m") as disk:
        ana, ben = meet(client_of, server)
        ana.send("before")
        ana.wait_mark("before", SENT)
        disk.fill()
        text = "no room for this " * 200
        ana.terminal.paste(text)
        ana.terminal.key("Enter")
        ana.terminal.wait_text("The disk is full")
        ana.terminal.wait_text("> .*no room for this")
        disk.free()
        ana.terminal.key("Enter")
        room = ben.conversations()[0]["id"]
        wait_until(lambda: text.strip() in ben.bodies(room), "message at ben's", 30)
        ana.terminal.wait_text(CONNECTED, seconds=30)
        assert ana.quit() == 0


# T60: folders that take nothing


def test_t60_a_read_only_home_reads_sends_and_says_so(client_of, server, tmp_path):
    ben, room = people(client_of, server, server.url)
    with contextlib.ExitStack() as places:
        for name in ("config", "data", "state", "cache"):
            places.enter_context(read_only(tmp_path / "ana" / name))
        ana = client_of("ana")
        ana.terminal.wait_text("cannot be written: nothing is kept")
        ana.terminal.wait_text(CONNECTED)
        ana.open("Ben")
        ana.terminal.wait_text("before")
        ben.send(room, "can you read this?")
        ana.terminal.wait_text("can you read this?")
        ana.send("yes, and write")
        ana.wait_mark("yes, and write", SENT, seconds=30)
        server.kill()
        ana.wait_banner()
        ana.send("and without a link")
        ana.terminal.wait_text("Kept in memory only")
        ana.wait_mark("and without a link", WAITING)
        server.start()
        ana.terminal.key("M-r")
        ana.wait_mark("and without a link", SENT, seconds=45)
        assert ana.quit() == 0
    bodies = ben.bodies(room)
    assert bodies == ["before", "can you read this?", "yes, and write", "and without a link"]


def test_t60_a_session_that_cannot_be_written_does_not_touch_the_link(client_of, server, proxy, tmp_path):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    room = ben.conversations()[0]["id"]
    folder = account_folder(tmp_path / "ana")
    with read_only(folder):
        kept = session_of(folder)
        proxy.wait_request("grant_type=refresh_token", refreshes(proxy) + 2, seconds=45)
        ben.send(room, "still with you")
        ana.terminal.wait_text("still with you", seconds=30)
        assert session_of(folder) == kept
    wait_until(lambda: session_of(folder) != kept, "new session on the disk")
    ana.send("and back")
    ana.wait_mark("and back", SENT, seconds=30)


def no_access(home):
    (home / "data/pingline").chmod(0o555)


def another_user(home):
    os.chown(home / "data/pingline", NOBODY, NOBODY)


def file_in_place(home):
    (home / "data").rename(home / "data-before")
    (home / "data").mkdir(mode=0o700)
    (home / "data/pingline").write_text("")


def test_t60_a_folder_that_was_closed_to_us_is_opened_again(client_of, server, tmp_path):
    people(client_of, server, server.url)
    no_access(tmp_path / "ana")
    ana = client_of("ana")
    ana.terminal.wait_text(CONNECTED, seconds=30)
    ana.open("Ben")
    ana.terminal.wait_text("before")
    assert (tmp_path / "ana/data/pingline").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "spoil, words",
    [
        pytest.param(another_user, "belongs to another user", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")),
        (file_in_place, "A file is where Pingline's folder should be"),
        (None, "There is no home folder"),
    ],
)  # fmt: skip
def test_t60_without_a_folder_it_opens_and_says_that_nothing_is_kept(
    terminal, binary, client_of, server, tmp_path, spoil, words
):
    ben, room = people(client_of, server, server.url)
    passing = tmp_path / "passing"
    passing.mkdir()
    env = {"TMPDIR": str(passing)}
    if spoil:
        spoil(tmp_path / "ana")
    else:
        env |= {name: None for name in ("HOME", *(f"XDG_{part}_HOME" for part in ("CONFIG", "DATA", "STATE", "CACHE")))}
    ana = Client(terminal([binary], name="ana", env=env))
    ana.terminal.wait_text(f"{words}")
    ana.terminal.wait_text("Nothing is kept")
    if spoil:
        assert f"{tmp_path}/ana/data/pingline" in ana.terminal.output.decode()
    ana.sign_in(server.url, "ana")
    ana.terminal.wait_text(CONNECTED)
    ana.open("Ben")
    ana.terminal.wait_text("before")
    ana.send("from nowhere")
    ana.wait_mark("from nowhere", SENT, seconds=30)
    ben.send(room, "to nowhere")
    ana.terminal.wait_text("to nowhere", seconds=30)
    assert ana.quit() == 0
    assert ana.terminal.leftovers() == []
    assert list(passing.iterdir()) == []


# T61: corrupt files


def test_t61_a_store_cut_in_half_is_told_and_what_waited_goes_out(client_of, server, tmp_path):
    ana, ben = meet(client_of, server)
    room = ben.conversations()[0]["id"]
    server.kill()
    ana.wait_banner()
    ana.send("waited")
    ana.wait_mark("waited", WAITING)
    assert ana.quit() == 0
    server.start()
    folder = account_folder(tmp_path / "ana")
    store = folder / "store.sqlite"
    with contextlib.closing(sqlite3.connect(store)) as settled:  # takes its log in
        settled.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = store.read_bytes()
    store.write_bytes(whole[: len(whole) // 2])
    ana = client_of("ana")
    ana.terminal.wait_text("The local store was damaged and is built anew")
    ana.terminal.wait_text(CONNECTED, seconds=30)
    assert (folder / "store.sqlite.damaged-1").read_bytes() == whole[: len(whole) // 2]
    ana.open("Ben")
    if "1 message that waited was carried over" in ana.terminal.output.decode():
        ana.wait_mark("waited", SENT, seconds=30)
        assert ben.bodies(room) == ["waited"]


def test_t61_damage_met_in_a_running_client_is_mended_behind_the_screen(client_of, server, tmp_path):
    ana, ben = meet(client_of, server)
    room = ben.conversations()[0]["id"]
    ana.send("before")
    ana.wait_mark("before", SENT)
    assert ana.quit() == 0
    folder = account_folder(tmp_path / "ana")
    store = folder / "store.sqlite"
    with contextlib.closing(sqlite3.connect(store)) as settled:
        settled.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = settled.execute("SELECT rootpage FROM sqlite_master WHERE name = 'conversations'").fetchone()
        (size,) = settled.execute("PRAGMA page_size").fetchone()
    with open(store, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(os.urandom(size))
    ana = client_of("ana")
    ana.terminal.wait_text("The local store was damaged and is built anew")
    ana.terminal.wait_text(CONNECTED, seconds=30)
    ana.open("Ben")
    ana.terminal.wait_text("before")
    ben.send(room, "after")
    ana.terminal.wait_text("after")
    ana.send("and on")
    ana.wait_mark("and on", SENT)
    assert (folder / "store.sqlite.damaged-1").exists()
    assert not (folder / "store.sqlite.damaged-2").exists() and not (folder / "store.damaged").exists()
    assert ana.quit() == 0


@pytest.mark.parametrize("name, words", [("account.json", "damaged and was set aside"), ("secrets.json", "session is damaged")])
@pytest.mark.parametrize("damage", [b"", b"null"])
def test_t61_a_torn_file_is_told_and_kept(client_of, server, tmp_path, name, words, damage):
    _, room = people(client_of, server, server.url)
    folder = account_folder(tmp_path / "ana")
    (folder / name).write_bytes(damage)
    others = {path: path.read_bytes() for path in folder.glob("*.json") if path.name != name}
    ana = client_of("ana")
    ana.terminal.wait_text(words)
    assert (folder / f"{name}.damaged-1").read_bytes() == damage
    assert all(path.read_bytes() == whole for path, whole in others.items())


# T63: secrets on disk


def test_t63_every_file_is_the_owners_also_after_each_rewrite(client_of, server, proxy, tmp_path):
    ana = client_of("ana", f"http://127.0.0.1:{proxy.port}", umask=0)
    folder = account_folder(tmp_path / "ana")
    assert open_to_others(tmp_path / "ana") == []
    for _ in range(2):
        kept = (folder / "secrets.json").read_bytes()
        (folder / "secrets.json").chmod(0o644)
        folder.chmod(0o755)
        wait_until(lambda: (folder / "secrets.json").read_bytes() != kept, "renewed session", 30)
        wait_until(lambda: not open_to_others(tmp_path / "ana"), "closed files", 5)
    ana.terminal.wait_text(CONNECTED, seconds=30)
    assert ana.quit() == 0
    assert open_to_others(tmp_path / "ana") == []
    secrets = [PASSWORD.encode(), b"eyJ", session_of(folder)["refresh_token"].encode()]
    logs = [path for path in (tmp_path / "ana/state").rglob("*") if path.is_file()]
    texts = [path.read_bytes() for path in logs] + [bytes(ana.terminal.output), "".join(ana.terminal.screen.titles).encode()]
    assert logs
    assert [secret for text in texts for secret in secrets if secret in text] == []


def test_t63_a_crash_leaves_no_secret_behind(client_of, server, tmp_path):
    ana = client_of("ana", server.url, umask=0, cwd=str(tmp_path))
    arguments = pathlib.Path(f"/proc/{ana.terminal.process.pid}/cmdline").read_bytes()
    ana.terminal.signal(6)
    ana.terminal.wait_exit()
    folder = account_folder(tmp_path / "ana")
    token = session_of(folder)["refresh_token"].encode()
    left = [path for path in tmp_path.rglob("*") if path.is_file() and "served" not in str(path) and path.parent != folder]
    assert [path for path in left if token in path.read_bytes()] == []
    assert b"eyJ" not in arguments + bytes(ana.terminal.output)
    assert open_to_others(tmp_path / "ana") == []


def open_to_others(home):
    """What of ours others may look at."""
    ours = [path for path in home.rglob("*") if "pingline" in path.parts and not path.is_symlink()]
    assert ours
    modes = []
    for path in ours:
        with contextlib.suppress(FileNotFoundError):  # SQLite's own come and go
            modes.append((path, path.stat().st_mode & 0o077))
    return [path for path, loose in modes if loose]
