"""What only the owner may read, and what nobody may."""

import pathlib

from client import SENT
from person import PASSWORD, Person


def test_nothing_is_readable_by_others_whatever_the_umask(client_of, server, tmp_path):
    ana = client_of("ana", server.url, umask=0)
    ben = Person(server, "ben")
    ana.start("ben")
    ana.send("between us")
    ana.wait_mark("between us", SENT)
    ana.quit()
    kept = [path for path in (tmp_path / "ana").rglob("*") if path.is_file() and "pingline" in str(path)]
    assert kept
    assert [path for path in kept if path.stat().st_mode & 0o077] == []
    folders = [path for path in (tmp_path / "ana").rglob("pingline") if path.is_dir()]
    assert [path for path in folders if path.stat().st_mode & 0o077] == []


def test_no_secret_is_in_arguments_or_logs(client_of, server, tmp_path):
    ana = client_of("ana", server.url)
    ben = Person(server, "ben")
    ana.start("ben")
    ana.send("a text that no log may hold")
    ana.wait_mark("a text that no log may hold", SENT)
    arguments = pathlib.Path(f"/proc/{ana.terminal.process.pid}/cmdline").read_bytes()
    ana.quit()
    secrets = [PASSWORD.encode(), b"a text that no log may hold", b"eyJ", b"refresh_token\":", ben.token.encode()]
    logs = [*(tmp_path / "ana/state").rglob("*"), tmp_path / "served.log"]
    texts = [arguments] + [path.read_bytes() for path in logs if path.is_file()]
    assert len(texts) > 1
    assert [(secret, text) for text in texts for secret in secrets if secret in text] == []
