"""A fresh server and its four people, for steps that run in the order of their numbers and are told one by one."""

import asyncio
import os
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/EndToEndTests"))

import live  # noqa: E402
from people import People  # noqa: E402
from server import Server  # noqa: E402

STEP = re.compile(r"test_step_(\d+)_(\w+)")


def pytest_collection_modifyitems(items):
    """The list runs from top to bottom, whatever file a step is in."""
    items.sort(key=lambda item: int(STEP.match(item.originalname)[1]))


def pytest_report_teststatus(report):
    """Steps are told by `pytest_runtest_logreport`; dots beside them would only be in the way."""
    if report.when == "call" or report.failed or report.skipped:
        return report.outcome, "", ""
    return None


class Steps:
    """Says what became of each step, in the order in which they ran."""

    def __init__(self, config):
        self._config = config

    def pytest_runtest_logreport(self, report):
        if report.when != "call" and report.passed:
            return
        number, name = STEP.search(report.nodeid).groups()
        mark = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}[report.outcome]
        color = {"green": report.passed, "red": report.failed}
        writer = self._config.get_terminal_writer()
        writer.line(f"step {int(number):3}  {mark:7} {report.duration:6.2f} s  {name.replace('_', ' ')}", **color)


def pytest_configure(config):
    config.pluginmanager.register(Steps(config), "steps")


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Starts servers of their own data, with options of `pingline serve`; they end with the run."""
    binary = pathlib.Path(os.environ.get("PINGLINE_BINARY", ROOT / ".build/debug/pingline"))
    assert binary.exists(), f"{binary} is not there: run `make conformance`, which builds it"
    running = []

    def start(*options):
        home = tmp_path_factory.mktemp("server")
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC"}
        for part in ("config", "data", "state", "cache", "runtime"):
            (home / part).mkdir(mode=0o700)
            env["XDG_RUNTIME_DIR" if part == "runtime" else f"XDG_{part.upper()}_HOME"] = str(home / part)
        server = Server(str(binary), home / "served", env, options)
        server.home = home
        server.start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.close()


@pytest.fixture(scope="session")
def server(serve):
    """The server that nearly all steps speak to. Its refresh window is short; all else is as it comes."""
    return serve("--refresh-window", "1")


@pytest.fixture(scope="session")
def people(server):
    """Ada, Bo, Cy and Xi, signed up. Xi is a member of nothing that the others have."""
    with People(server, "ada", "bo", "cy", "xi") as everybody:
        yield everybody


@pytest.fixture
def ada(people):
    return people["ada"]


@pytest.fixture
def bo(people):
    return people["bo"]


@pytest.fixture
def cy(people):
    return people["cy"]


@pytest.fixture
def xi(people):
    return people["xi"]


@pytest.fixture(scope="session", autouse=True)
async def nothing_is_pending():
    """Ends what official clients leave waiting, which is the time limits of answers that never come."""
    yield
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


@pytest.fixture
async def connected(server):
    """Connects people through official clients, which are closed with the test."""
    clients = []

    async def start(person, at=None):
        clients.append(await live.connect(at or server, person.token))
        return clients[-1]

    yield start
    for client in clients:
        await client.realtime.close()
