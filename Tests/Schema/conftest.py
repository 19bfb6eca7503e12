"""Both targets, started once, and the world each scenario finds there."""

import os
import pathlib
import sys

import pytest

from cluster import Cluster
from on_postgres import Postgres, apply_schema, make_database, make_project
from on_server import EmbeddedServer
from world import people

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/EndToEndTests"))

from server import Server  # noqa: E402


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL with an empty project to copy."""
    one = Cluster()
    try:
        one.start()
        make_project(one)
        yield one
    finally:
        one.close()


@pytest.fixture(scope="session")
def postgres(cluster):
    """A project with the schema, applied twice."""
    connection = make_database(cluster, "scenarios")
    apply_schema(connection)
    apply_schema(connection)
    yield Postgres(connection)
    connection.close()


@pytest.fixture(scope="session")
def binary():
    """The program under test: that of the debug build, or `PINGLINE_BINARY`."""
    path = pathlib.Path(os.environ.get("PINGLINE_BINARY", ROOT / ".build/debug/pingline"))
    assert path.exists(), f"{path} is not there: run `make schema`, which builds it"
    return str(path)


@pytest.fixture(scope="session")
def server(binary, tmp_path_factory):
    """`pingline serve` with no people."""
    home = tmp_path_factory.mktemp("server")
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC"}
    one = Server(binary, home / "data", env)
    one.start()
    yield EmbeddedServer(one)
    one.close()


@pytest.fixture(scope="session")
def shared_people(request):
    """The people of a target by its name, signed up on first use and never changed."""
    known = {}

    def of(target):
        if target.name not in known:
            known[target.name] = people(target)
        return known[target.name]

    return of
