"""The measurements. Each takes the class of a program, or a running one, and gives plain numbers by row name.

Times are in milliseconds, memory in MB. A row's name is the same for every program that can do it.
"""

import random
import statistics
import time

from recorder import SlowLink

TYPED = "the quick brown fox jumps over the lazy dog and off into the dark woods of november "


def marker():
    """A word that no other text contains."""
    return "ZQ" + "".join(random.choices("BCDFGHJKLMNPRSTVWX", k=8))


def starting(peer):
    """What the record of a fresh start tells."""
    terminal = peer.terminal
    return {
        "start to first full screen, ms": (terminal.first_time(peer.ready) - terminal.started) * 1e3,
        "start to connected, ms": (terminal.first_time(peer.online) - terminal.started) * 1e3,
        "memory after start, MB": terminal.status("VmRSS") / 1024,
    }


def typing(peer, suffix=""):
    """One key at a time, the next after the answer to the one before."""
    answers = [peer.terminal.press(letter, quiet=0.012, limit=1.0) for letter in TYPED * 2]
    lost = answers.count(None)
    answers = [answer for answer in answers if answer][5:]  # the first keys wake caches
    clear(peer)
    times = sorted(seconds * 1e3 for _, seconds in answers)
    return {
        "bytes for a typed letter" + suffix: statistics.median(count for count, _ in answers),
        "key to screen, median, ms" + suffix: statistics.median(times),
        "key to screen, p99, ms" + suffix: times[int(len(times) * 0.99)],
    } | ({"keys without an answer" + suffix: lost} if lost else {})


def clear(peer):
    """Empties the composer."""
    peer.terminal.key("C-u")
    peer.terminal.quiet(0.1)


def switching(peer):
    """To the neighbouring conversation and back."""
    answers = [peer.terminal.press(key) for _ in range(5) for key in (peer.forth, peer.back)]
    times = [seconds * 1e3 for _, seconds in filter(None, answers)]
    return {"switch conversation, ms": statistics.median(times)}


def scrolling(peer):
    """Pages up and down in the thread."""
    keys = [peer.page_up] * 4 + [peer.page_down] * 4
    times = [seconds * 1e3 for _, seconds in filter(None, (peer.terminal.press(key) for key in keys))]
    return {"scroll a page, ms": statistics.median(times)}


def burst(peer, count, limit=90):
    """Messages into the visible conversation, as fast as this machine carries them."""
    terminal, last = peer.terminal, marker()
    terminal.quiet(0.3)
    mark, used = terminal.mark(), terminal.cpu_seconds()
    began = peer.burst(count, last)
    shown = terminal.wait_bytes(last.encode(), mark, limit)
    terminal.quiet(0.3, limit)
    name = f"{count:,}".replace(",", " ") + " messages into the visible thread"
    return {
        f"{name}, ms": (shown - began) * 1e3,
        f"{name}, CPU ms": (terminal.cpu_seconds() - used) * 1e3,
        f"{name}, bytes": terminal.bytes_since(mark),
    }


def session(make):
    """One run from start to end."""
    with make() as peer:
        rows = starting(peer)
        peer.enter()
        rows |= burst(peer, 1000)
        rows |= typing(peer) | switching(peer) | scrolling(peer)
        return rows | burst(peer, 10_000)


def slow(make):
    """500 messages behind a line of 20 000 bytes a second and 100 ms each way."""
    with make(link=SlowLink(20_000, 0.1)) as peer:
        peer.enter()
        peer.terminal.quiet(0.5)
        last = marker()
        mark = peer.terminal.mark()
        began = peer.burst(500, last)
        shown = peer.terminal.wait_bytes(last.encode(), mark, 60)
        return {"20 kB/s, 100 ms each way: 500 messages, ms": (shown - began) * 1e3}


def idle(makes, seconds):
    """Wake-ups and CPU of all programs at once, left alone; per minute."""
    peers = {name: make() for name, make in makes.items()}
    try:
        for peer in peers.values():
            peer.enter()
            peer.terminal.quiet(1.0)
        seen = {name: peer.terminal.wake_ups() for name, peer in peers.items()}
        used_before = {name: peer.terminal.cpu_seconds() for name, peer in peers.items()}
        wakes = dict.fromkeys(peers, 0)
        for _ in range(seconds):
            time.sleep(1)  # an observation window; looked into, or the counts of ended threads would be lost
            for name, peer in peers.items():
                counts = peer.terminal.wake_ups()
                wakes[name] += sum(count - seen[name].get(task, 0) for task, count in counts.items())
                seen[name] = counts
        rows = {}
        for name, peer in peers.items():
            used = used_before[name]
            factor = 60 / seconds
            rows[name] = {
                "idle wake-ups a minute": wakes[name] * factor,
                "idle CPU a minute, ms": (peer.terminal.cpu_seconds() - used) * 1e3 * factor,
            }
        return rows
    finally:
        for peer in peers.values():
            peer.__exit__()
