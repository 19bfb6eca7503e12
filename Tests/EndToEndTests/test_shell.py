"""The program among others: the shell that stops it, the editor it starts, the file that sets it up, its double."""

import re

import pytest

from client import CONNECTED, Client
from person import Person


@pytest.fixture
def shell(terminal):
    """An interactive shell with job control, from which a person starts the program."""

    def start(name="ana", **options):
        one = terminal(["bash", "--norc", "--noprofile", "-i"], name=name, **options)
        one.wait_text(r"\$|#")
        return one

    return start


def write_settings(home, text):
    folder = home / "config/pingline"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "config.toml").write_text(text)


def test_the_shell_gets_its_terminal_for_a_while(shell, binary):
    window = shell(columns=100, rows=30)
    window.type(f"{binary} demo\r")
    window.wait_text("┐┌ Cabin weekend")
    window.type("half written")
    window.wait_text("> half written")
    window.key("C-z")
    window.wait_text("Stopped")
    assert "Cabin weekend" not in window.text
    window.type("echo $((40 + 2)) again\r")  # echoed as typed: the line discipline is the shell's
    window.wait_text("42 again")
    window.resize(80, 20)
    window.type("fg\r")
    window.wait_text("> half written")
    assert len(window.row_of("Cabin weekend · 4 people").rstrip()) == 80
    window.key("C-c", "C-c")
    window.wait_text("Quit Pingline")
    window.key("Right", "Enter")
    window.wait_gone("Cabin weekend")
    window.type("echo $((50 + 5)) at last\r")
    window.wait_text("55 at last")


EDITOR = """#!/bin/sh
printf '\\033[?1049h\\033[2J\\033[HEDITOR with '; cat "$1"
read -r line < /dev/tty
printf '%s and\\n\\033]0;owned\\007\\ttwo\\n\\n' "$line" > "$1"
printf '\\033[?1049l'; exit {status}
"""


@pytest.mark.parametrize("status", [0, 3])
def test_the_editor_has_the_terminal_and_gives_it_back(terminal, binary, tmp_path, status):
    editor = tmp_path / "my editor"
    editor.write_text(EDITOR.format(status=status))
    editor.chmod(0o755)
    demo = terminal([binary, "demo"], env={"VISUAL": f"'{editor}'", "TMPDIR": str(tmp_path)})
    demo.wait_text("┐┌ Cabin weekend")
    demo.type("before")
    demo.wait_text("> before")
    demo.key("M-e")
    demo.wait_text("EDITOR with before")
    demo.type("one\r")
    if status == 0:
        demo.wait_text(r"> one and")
        demo.wait_text(r"␛\]0;owned␇ +two")
    else:
        demo.wait_text("> before")
        demo.wait_text("the text is as before")
    assert list(tmp_path.glob("pingline-*")) == []
    assert not any("owned" in title and "␛" not in title for title in demo.screen.titles)
    demo.key("C-c")
    assert Client(demo).quit() == 0
    assert demo.leftovers() == []


def test_a_missing_editor_costs_nothing(terminal, binary):
    demo = terminal([binary, "demo"], env={"EDITOR": "no-such-editor --wait"})
    demo.wait_text("┐┌ Cabin weekend")
    demo.type("kept")
    demo.key("M-e")
    demo.wait_text("There is no editor")
    demo.wait_text("> kept")


def test_keys_of_ones_own(terminal, binary, tmp_path):
    write_settings(tmp_path / "ana", '[keys]\nhelp = "F5"\n[keys.anywhere]\nlogin = "F6"\n')
    demo = terminal([binary, "demo"], rows=40)
    demo.wait_text("┐┌ Cabin weekend")
    demo.key("F5")
    demo.wait_text("┌ Keys")
    demo.key("Esc")
    demo.wait_gone("┌ Keys")
    demo.key("F6")
    demo.wait_text("Sign in to a server")


def test_slips_in_the_settings_are_named_and_stop_nobody(shell, binary, tmp_path):
    slips = 'theme = "drak"\nmouse = 3\n[keys.list]\nopen = "q"\nopne = "x"\n'
    write_settings(tmp_path / "ana", slips)
    window = shell(rows=40)
    window.type(f"{binary} demo\r")
    window.wait_text("┐┌ Cabin weekend")
    window.wait_text("config.toml, line 1: theme must be one of")
    window.key("C-c")
    window.wait_text("Quit Pingline")
    window.key("Right", "Enter")
    window.wait_gone("Quit Pingline")
    for line, words in ((1, "theme must be"), (2, "mouse must be"), (4, "keys.list.open cannot"), (5, "did you mean open")):
        assert re.search(rf"(?i)config\.toml, line {line}: [^\n]*{re.escape(words)}", window.output.decode())


def test_settings_that_are_no_settings_stop_nobody(terminal, binary, tmp_path):
    write_settings(tmp_path / "ana", "theme = = 1\n")
    demo = terminal([binary, "demo"])
    demo.wait_text("config.toml cannot be read from line 1 on")
    demo.wait_text("┐┌ Cabin weekend")


def test_a_second_screen_on_the_account_names_the_first(client_of, server, terminal, binary):
    ana = client_of("ana", server.url)
    second = terminal([binary], name="ana")
    second.wait_text(rf"process {ana.terminal.process.pid}\b")
    second.wait_text("Close it there")
    second.key("Esc")
    assert second.wait_exit() == 0
    ben = Person(server, "ben")
    ben.send(ben.start([ben.find("ana")]), "still there?")
    ana.terminal.wait_text("still there?")
    ana.terminal.wait_text(CONNECTED)


def test_who_comes_and_goes_is_counted_on_every_screen(client_of, server):
    ben, cleo, dana = (Person(server, name) for name in ("ben", "cleo", "dana"))
    ana = client_of("ana", server.url)
    crew = ben.start([ben.find("ana"), cleo.id], title="Crew")
    ben.send(crew, "hello")
    ana.terminal.wait_text("hello")
    ana.open("Crew")
    ana.terminal.wait_text("Crew · 3 people")
    ben.call("POST", "/rest/v1/rpc/add_members", {"p_conversation_id": crew, "p_member_ids": [dana.id]})
    ana.terminal.wait_text("Crew · 4 people")
