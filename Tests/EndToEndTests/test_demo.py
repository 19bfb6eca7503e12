"""The first five minutes: the demo, and the page a new user sees."""

from client import CONNECTED, READ, Client


def test_the_demo_answers(terminal, binary):
    demo = terminal([binary, "demo"])
    demo.wait_text(CONNECTED)
    demo.wait_idle()
    demo.key("Enter")  # opens the first conversation
    demo.wait_text("┐┌ Cabin weekend")
    Client(demo).send("Hello, who is there?")
    demo.wait_text(rf"Hello, who is there\?.*{READ}")  # a reaction may stand between
    demo.wait_text("typing")
    demo.wait_text(r"(?s)Hello, who is there\?.*│ \d\d:\d\d (Ben|Cleo|Mei) ")


def test_the_demo_leaves_nothing(terminal, binary, tmp_path):
    demo = terminal([binary, "demo"])
    demo.wait_text(CONNECTED)
    demo.key("Esc")
    demo.wait_idle()
    demo.type(":quit")
    demo.key("Enter")
    assert demo.wait_exit() == 0
    assert demo.leftovers() == []
    assert [path for path in (tmp_path / "ana/data").rglob("*") if path.is_file()] == []


def test_a_new_user_is_told_how_to_begin(terminal, binary):
    screen = terminal([binary])
    screen.wait_text("[Tt]ry it")
    screen.wait_text("[Ss]ign in")


def test_the_smallest_terminal_without_colours_or_utf8_works(terminal, binary):
    screen = terminal([binary, "demo"], env={"LANG": "C", "NO_COLOR": "1", "TERM": "vt100"}, columns=80, rows=24)
    screen.wait_text(CONNECTED)
    assert screen.text.isascii()


def test_a_newcomer_can_write_at_once(terminal, binary):
    demo = terminal([binary, "demo"])
    demo.wait_text("┐┌ Cabin weekend")
    demo.type("hello")
    demo.wait_text("> hello")


def test_the_demo_runs_where_nothing_can_be_kept(terminal, binary, tmp_path):
    places = {f"XDG_{part}_HOME": "/proc/nowhere" for part in ("CONFIG", "DATA", "STATE", "CACHE")}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    demo = terminal([binary, "demo"], env=places | {"XDG_RUNTIME_DIR": "/proc/nowhere", "TMPDIR": str(scratch)})
    demo.wait_text("┐┌ Cabin weekend")
    assert Client(demo).quit() == 0
    assert list(scratch.iterdir()) == []


def test_a_locale_without_utf8_is_explained(terminal, binary):
    screen = terminal([binary, "demo"], env={"LANG": "C"})
    screen.wait_text("ASCII. Set LANG")
