"""One list of who may do what; PostgreSQL with the schema and the embedded server must agree with it."""

import pytest

from actions import Kept, fits
from scenarios import SCENARIOS
from world import NOBODY, furnish

TARGETS = ("postgres", "server")
CASES = [(target, one) for target in TARGETS for one in SCENARIOS if one.only in (None, target)]


@pytest.mark.parametrize("target, scenario", CASES, ids=[f"{target}-{one.name}" for target, one in CASES])
def test_the_rules_hold(target, scenario, request, shared_people):
    chosen = request.getfixturevalue(target)
    shared = shared_people(chosen)
    with chosen.undone():
        world = furnish(chosen, shared, scenario)
        for number, step in enumerate(scenario.steps, 1):
            action, expected = (filled(part, world) for part in (step.action, step.expected))
            found = chosen.do(None if step.who == NOBODY else world[step.who], action)
            assert fits(found, expected), f"step {number}, {step.who}: {action}\nexpected {expected}\nfound {found}"
            if isinstance(expected, Kept):
                world[expected.name] = found


def filled(part, world):
    """The same with the world's names replaced."""
    return type(part)(**{name: world.fill(value) for name, value in vars(part).items()})
