"""The machine changes around the program: another network, or a sleep, after which nobody waits for a countdown."""

import os
import re
import shlex
import subprocess
import time
import uuid

import pytest

from client import BANNER
from server import Server


@pytest.fixture
def network(binary, tmp_path):
    """A network of its own, with loopback only: how to run a command in it, and the program inside it."""
    name = f"pingline-{uuid.uuid4().hex[:8]}"
    if os.geteuid() != 0 or subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        pytest.skip("needs the right to make a network namespace")

    def run(*command):
        subprocess.run(["ip", "netns", "exec", name, *command], check=True)

    inside = tmp_path / "pingline-inside"
    inside.write_text(f'#!/bin/sh\nexec nsenter --net=/run/netns/{name} {shlex.quote(binary)} "$@"\n')
    inside.chmod(0o755)
    run("ip", "link", "set", "lo", "up")
    yield run, str(inside)
    subprocess.run(["ip", "netns", "delete", name], check=True)


def wait_patience(ana):
    """Until the next try is so far away that nobody takes it for what comes now."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        ana.terminal.wait_text(r"next in \d+ s", seconds=90)
        left = re.search(r"next in (\d+) s", ana.terminal.text)
        if left and int(left[1]) >= 7:
            return
        ana.terminal.wait_gone(re.escape(left[0]) if left else "next in", seconds=30)
    pytest.fail("no long countdown")


def test_another_network_is_tried_at_once(client_of, network, surroundings, tmp_path):
    run, inside = network
    server = Server(inside, tmp_path / "served", surroundings("server"))
    server.start()
    try:
        ana = client_of("ana", server.url, program=inside)
        server.kill()
        wait_patience(ana)
        server.start()
        run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "far-end")
        run("ip", "address", "add", "192.0.2.7/24", "dev", "cable")
        run("ip", "link", "set", "far-end", "up")
        run("ip", "link", "set", "cable", "up")
        ana.terminal.wait_gone(BANNER, seconds=4)
    finally:
        server.close()


@pytest.mark.alone  # every program on the machine hears of it
def test_a_clock_that_was_set_has_the_link_tried_at_once(client_of, server):
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME))
    except PermissionError:
        pytest.skip("needs the right to set the clock")
    ana = client_of("ana", server.url)
    server.kill()
    wait_patience(ana)
    server.start()
    time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME))
    ana.terminal.wait_gone(BANNER, seconds=4)
