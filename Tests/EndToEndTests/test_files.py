"""Files from one screen to another, whatever happens to what is between."""

import os
import re

from client import SENT
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
