"""Pictures in the thread, drawn by the real helper and by helpers that mean no good."""

import os
import re

import pytest

from client import SENT
from images import BLOCKS, HALVES, cells, png

LINE = "⤓ flag.png "
RED, BLUE = (255, 0, 0), (0, 0, 255)


def stripes(folder):
    """Red over blue in each cell that it is drawn in: 22 by 7 cells of 8 by 16 pixels."""
    path = folder / "flag.png"
    path.write_bytes(png(176, 112, lambda x, y: BLUE if y // 8 % 2 else RED))
    return path


def show(client_of, server, folder, **options):
    """ana sends ben the picture, and ben's screen has its line."""
    ana, ben = client_of("ana", server.url), client_of("ben", server.url, columns=80, rows=24, **options)
    ana.start("ben")
    ana.command(f"attach {stripes(folder)}")
    ana.terminal.wait_text(re.escape(LINE))
    ana.terminal.key("Enter")
    ben.terminal.wait_text("flag.png")
    ben.open("Ana")
    ben.terminal.wait_text(LINE + ".*picture")
    return ana, ben


def helper(folder, script):
    """The search path with a helper of ours in front."""
    place = folder / "bin"
    place.mkdir()
    (place / "chafa").write_text(f"#!/bin/sh\n{script}\n")
    (place / "chafa").chmod(0o700)
    return {"PATH": f"{place}:{os.environ['PATH']}"}


def wait_drawn(client, count):
    client.terminal.wait(lambda: len(cells(client.terminal.screen)) >= count, f"{count} cells of a picture")
    return cells(client.terminal.screen)


@pytest.mark.parametrize("truecolor", [False, True])
def test_a_picture_is_seen_on_the_other_side(client_of, server, tmp_path, truecolor):
    env = {"COLORTERM": "truecolor" if truecolor else None}
    ana, ben = show(client_of, server, tmp_path, env=env)
    found = wait_drawn(ben, 22 * 7)
    assert len(found) == 22 * 7
    for row, column, cell in found:
        colours = (cell.fg, cell.bg) if cell.data == "▀" else (cell.bg, cell.fg)
        assert cell.data in HALVES, f"{cell.data} at {row}, {column}"
        assert (colours[0][:2], colours[1][4:]) == ("ff", "ff") and colours[0][4:] == colours[1][:2] == "00"
    kinds = {b"\x1b[38;2;" in ben.terminal.output, b"48;2;" in ben.terminal.output}
    assert kinds == {truecolor}

    ben.send("nice flag")
    ben.wait_mark("nice flag", SENT)
    assert len(cells(ben.terminal.screen)) == 22 * 7
    assert ana.terminal.row_of("nice flag") or ana.terminal.wait_text("nice flag")


def test_a_drawn_picture_is_kept_privately_and_not_fetched_again(client_of, server, tmp_path):
    _, ben = show(client_of, server, tmp_path, env={"COLORTERM": "truecolor"})
    wait_drawn(ben, 22 * 7)
    ben.quit()
    kept = [path for path in (tmp_path / "ben/cache").rglob("*") if path.is_file()]
    assert len(kept) == 2
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    server.close()
    # What is kept needs neither the server nor the helper; other colours need only the helper.
    for env in ({"COLORTERM": "truecolor"} | helper(tmp_path, "exit 1"), {}):
        ben = client_of("ben", columns=80, rows=24, env=env)
        ben.open("Ana")
        wait_drawn(ben, 22 * 7)
        ben.quit()


def test_another_size_draws_anew(client_of, server, tmp_path):
    _, ben = show(client_of, server, tmp_path)
    wait_drawn(ben, 22 * 7)
    ben.terminal.resize(120, 40)
    wait_drawn(ben, 22 * 12)
    ben.terminal.resize(80, 12)
    ben.terminal.wait(lambda: not cells(ben.terminal.screen), "screen without a picture")
    assert ben.terminal.row_of(LINE)


def test_without_the_helper_there_is_a_line(client_of, server, tmp_path):
    _, ben = show(client_of, server, tmp_path, env={"PATH": "/nowhere"})
    ben.terminal.wait_idle()
    assert not cells(ben.terminal.screen)
    ben.command("picture")
    ben.terminal.wait_text("chafa, which is not installed")


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "xterm-mono"}])
def test_without_colours_there_is_a_line(client_of, server, tmp_path, env):
    _, ben = show(client_of, server, tmp_path, env=env)
    ben.terminal.wait_idle()
    assert not any(block in ben.terminal.text for block in BLOCKS)


@pytest.mark.parametrize(
    "script, words",
    [
        ("exec yes", "wrote too much"),
        ("kill -SEGV $$", "failed"),
        (r"printf '\033]0;owned\007\033[2J\033[41m  '", "drew something else"),
        ("echo 'no picture'", "drew something else"),
    ],
)
def test_a_helper_that_means_no_good_gets_a_line(client_of, server, tmp_path, script, words):
    _, ben = show(client_of, server, tmp_path, env=helper(tmp_path, script))
    told = f"Not drawn: The helper program {words}."
    ben.terminal.wait(lambda: told in " ".join(ben.thread.replace("│", " ").split()), f"“{told}”")
    assert "owned" not in " ".join(ben.terminal.screen.titles)
    ben.send("still here")
    ben.wait_mark("still here", SENT)


def test_a_helper_that_hangs_ends_with_the_program(client_of, server, tmp_path):
    # It may write no file, so its number is the name of a folder.
    _, ben = show(client_of, server, tmp_path, env=helper(tmp_path, f"mkdir {tmp_path}/ran-$$; exec sleep 600"))
    ran = ben.terminal.wait(lambda: list(tmp_path.glob("ran-*")), "run of the helper")
    ben.send("typed meanwhile")
    ben.wait_mark("typed meanwhile", SENT)
    ben.quit()
    assert not os.path.exists(f"/proc/{ran[0].name.removeprefix('ran-')}")


def test_pictures_can_be_drawn_on_demand(client_of, server, tmp_path):
    place = tmp_path / "ben/config/pingline"
    place.mkdir(parents=True)
    (place / "config.toml").write_text('pictures = "ask"\n')
    _, ben = show(client_of, server, tmp_path)
    ben.terminal.wait_text("v draws it")
    assert not cells(ben.terminal.screen)
    ben.terminal.key("Esc")
    ben.terminal.wait_idle()
    ben.terminal.key("v")
    wait_drawn(ben, 22 * 7)
    ben.terminal.key("v")
    ben.terminal.wait(lambda: not cells(ben.terminal.screen), "screen without a picture")
