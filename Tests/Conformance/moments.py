"""Time on the wire, and waiting for it."""

import re
import threading
import time

ON_THE_WIRE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?\+00:00")
FAR_FUTURE = "2099-01-01T00:00:00+00:00"


def is_timestamp(text):
    """Whether it is written as rows have it: up to six digits of a second, none of them a zero at the end."""
    return ON_THE_WIRE.fullmatch(text) is not None


def microseconds(text):
    """The time as something to compare: the second, then the microseconds in it."""
    assert is_timestamp(text), text
    whole, _, fraction = text.removesuffix("+00:00").partition(".")
    return whole, int(fraction.ljust(6, "0"))


def pass_by(moment):
    """Lets the monotonic clock come to this moment, where the lapse of time itself is what a step is about."""
    threading.Event().wait(max(0, moment - time.monotonic()))


def soon(condition, seconds=10.0, every=0.05):
    """Asks until the condition gives something; that."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"nothing after {seconds} s"
        threading.Event().wait(every)
    return found
