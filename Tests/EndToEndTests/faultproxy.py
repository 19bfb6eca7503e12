"""A TCP proxy that breaks things on demand, between a client and the server on this machine.

It carries plain HTTP and WebSockets. What a request is, it knows from the first line at the beginning of a piece
of bytes, which is how every client here sends them.
"""

import json
import re
import socket
import struct
import threading
import time

REQUEST = re.compile(rb"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^\r\n]* HTTP/1\.1\r\n")
GO_AHEAD = b"HTTP/1.1 100 Continue\r\n\r\n"  # no answer yet: the body is still to come
SOCKET = "^GET /realtime/"


class FaultProxy:
    """Listens on `port` and carries to `upstream`, both on the loopback interface."""

    def __init__(self, upstream):
        self.upstream = upstream
        self.requests = []  # first lines, in the order they came
        self.refusing = False  # connections are reset at once, as by a machine without the service
        self.silent = False  # bytes vanish both ways and nothing is closed, as on a dead link
        self.silent_sockets = False  # the same for WebSockets only, those that are open and new ones
        self.frames = []  # what clients sent over WebSockets, as JSON
        self.delay = 0.0  # seconds before each piece of bytes goes on, each way
        self._rules = []
        self._links = set()
        self._changed = threading.Condition()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def swallow_answer(self, pattern, times=1):
        """Lets the next matching requests through, but closes the connection in place of their answers."""
        self._rules.append(_Rule(pattern, None, times))

    def answer(self, pattern, response, times=1, every=1):
        """Answers the next matching requests, or one of so many, with these bytes; the server never hears of them."""
        self._rules.append(_Rule(pattern, response, times, every))

    def hold(self, pattern, times=1, after=0):
        """Lets the next matching requests go quiet once so many of their bytes have passed."""
        self._rules.append(_Rule(pattern, None, times, after=after))

    def cut(self):
        """Resets every connection that is open now."""
        with self._changed:
            links = list(self._links)
        for link in links:
            link.reset()

    def heal(self):
        """Lets everything through again. Links that were silent are cut: too much was lost in them."""
        self.refusing, self.delay, self._rules = False, 0.0, []
        with self._changed:
            held = any(link.quiet_after is not None for link in self._links)
        if self.silent or self.silent_sockets or held:
            self.silent = self.silent_sockets = False
            self.cut()

    def wait_request(self, pattern, count=1, seconds=20.0):
        """Until that many requests have come whose first line matches."""
        self._wait(lambda: sum(bool(re.search(pattern, line)) for line in self.requests) >= count, pattern, seconds)

    def wait_used(self, seconds=20.0):
        """Until every rule was used as often as it was to be."""
        self._wait(lambda: not any(rule.times for rule in self._rules), "all rules", seconds)

    def wait_frame(self, condition, what, seconds=20.0):
        """Until the client has sent a frame over a WebSocket that fulfils the condition; the last such."""
        self._wait(lambda: any(condition(frame) for frame in self.frames), what, seconds)
        return [frame for frame in self.frames if condition(frame)][-1]

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _wait(self, condition, what, seconds):
        with self._changed:
            if not self._changed.wait_for(condition, seconds):
                raise AssertionError(f"the proxy waited {seconds} s for {what}; it saw {self.requests}")

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        link = _Link(client)
        if self.refusing:
            return link.reset()
        with self._changed:
            self._links.add(link)
        try:
            link.server = socket.create_connection(("127.0.0.1", self.upstream))
            threading.Thread(target=self._carry_answers, args=(link,), daemon=True).start()
            self._carry_requests(link)
        except OSError:
            link.reset()
        finally:
            with self._changed:
                self._links.discard(link)

    def _carry_requests(self, link):
        while data := link.client.recv(65536):
            rule = self._rule_for(data, link)
            if rule and rule.response is not None:
                link.client.sendall(rule.response)
                return link.reset(gently=True)
            if rule and rule.after is not None:
                link.quiet_after = rule.after
            elif rule:
                link.swallows = True
            self._note_frames(data, link)
            self._pass_on(data, link.server, link)
        link.server.shutdown(socket.SHUT_WR)

    def _carry_answers(self, link):
        try:
            while data := link.server.recv(65536):
                if link.swallows and data != GO_AHEAD:
                    break
                self._pass_on(data, link.client, link)
        except OSError:
            pass
        link.reset(gently=not link.swallows)

    def _pass_on(self, data, receiver, link):
        if self.delay:
            time.sleep(self.delay)
        if link.quiet_after is not None:
            data, link.quiet_after = data[: link.quiet_after], max(link.quiet_after - len(data), 0)
        if not (self.silent or (self.silent_sockets and link.frames is not None)) and data:
            receiver.sendall(data)

    def _rule_for(self, data, link):
        if self.silent or link.frames is not None or not (first := REQUEST.match(data)):
            return None
        line = first.group(0).decode("latin-1").strip()
        with self._changed:
            self.requests.append(line)
            rule = next((rule for rule in self._rules if rule.takes(line)), None)
            if re.match(SOCKET, line):
                link.frames = b""
            self._changed.notify_all()
            return rule

    def _note_frames(self, data, link):
        """Collects the text frames of a client (RFC 6455 section 5.2: masked, and not fragmented here)."""
        if link.frames is None or REQUEST.match(data):
            return
        link.frames += data
        while (frame := _frame(link.frames)) is not None:
            kind, text, link.frames = frame
            if kind == 1:
                with self._changed:
                    self.frames.append(json.loads(text))
                    self._changed.notify_all()


def _frame(data):
    """The first frame's kind and payload, and what is behind it; None while it is not whole."""
    if len(data) < 2:
        return None
    size, at = data[1] & 0x7F, 2
    if size > 125:
        width = 2 if size == 126 else 8
        size, at = int.from_bytes(data[2 : 2 + width], "big"), 2 + width
    if len(data) < at + 4 + size:
        return None
    mask, body = data[at : at + 4], data[at + 4 : at + 4 + size]
    text = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
    return data[0] & 0x0F, text, data[at + 4 + size :]


class _Rule:
    def __init__(self, pattern, response, times, every=1, after=None):
        self.pattern, self.response, self.times, self.every, self.after = pattern, response, times, every, after
        self.seen = 0

    def takes(self, line):
        """Whether the request is one of those the rule is for; it is counted then."""
        if not self.times or not re.search(self.pattern, line):
            return False
        self.seen += 1
        if self.seen % self.every:
            return False
        self.times -= 1
        return True


class _Link:
    def __init__(self, client):
        self.client, self.server, self.swallows = client, None, False
        self.quiet_after = None  # bytes that still pass; None: all
        self.frames = None  # of a WebSocket: what came of a frame that is not whole yet

    def reset(self, gently=False):
        for end in (self.client, self.server):
            if end is None:
                continue
            try:
                if not gently:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
