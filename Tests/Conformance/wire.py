"""The Realtime protocol frame by frame, for what official clients neither send nor show."""

import asyncio
import itertools
import json
import urllib.parse
from typing import Any, NamedTuple

from websockets.asyncio.client import connect

BARRIER = "realtime:nobody is here"


class Frame(NamedTuple):
    join_ref: str | None
    ref: str | None
    topic: str
    event: str
    payload: Any

    @property
    def status(self):
        return self.payload["status"]

    @property
    def response(self):
        return self.payload["response"]

    @property
    def reason(self):
        """Why a reply refuses."""
        assert self.status == "error", self
        return self.response["reason"]


def address(server, **query):
    """The endpoint's, with these parameters."""
    return f"{server.url.replace('http', 'ws', 1)}/realtime/v1/websocket?{urllib.parse.urlencode(query)}"


class Wire:
    """One socket of version 1 or 2."""

    def __init__(self, socket, vsn):
        self.socket, self.vsn = socket, vsn
        self._refs = (str(number) for number in itertools.count(1))

    @classmethod
    async def open(cls, server, vsn="1.0.0", key=None):
        # Whether pings are answered is a step of its own; here they would only count as signs of life.
        url = address(server, apikey=key or server.key, vsn=vsn)
        return cls(await connect(url, ping_interval=None, max_size=None), vsn)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def send(self, topic, event, payload, ref=None, join_ref=None):
        frame = Frame(join_ref, ref, topic, event, payload)
        await self.socket.send(json.dumps(frame if self.vsn == "2.0.0" else frame._asdict()))

    async def next(self, seconds=10.0):
        """The next frame, in the shape that its version must have; bytes stay bytes."""
        async with asyncio.timeout(seconds):
            text = await self.socket.recv()
        if isinstance(text, bytes):
            assert self.vsn == "2.0.0"
            return text
        frame = json.loads(text)
        if self.vsn == "2.0.0":
            assert isinstance(frame, list) and len(frame) == 5, frame
            return Frame(*frame)
        assert frame.keys() == {"topic", "event", "payload", "ref"}, frame
        return Frame(None, **frame)

    async def until(self, event, seconds=10.0):
        """The next frame of this event; others before it are passed over."""
        async with asyncio.timeout(seconds):
            while True:
                frame = await self.next(seconds)
                if isinstance(frame, Frame) and frame.event == event:
                    return frame

    async def join(self, topic, token=None, bindings=(), seconds=10.0, **config):
        """Joins; the reply. Further frames of the join are left to be read."""
        ref = next(self._refs)
        payload = {"config": {"postgres_changes": list(bindings), **config}}
        if token:
            payload["access_token"] = token
        await self.send(topic, "phx_join", payload, ref, ref)
        reply = await self.next(seconds)
        assert (reply.event, reply.ref, reply.topic) == ("phx_reply", ref, topic), reply
        return reply

    async def heartbeat(self, ref):
        await self.send("phoenix", "heartbeat", {}, ref)

    async def heard(self):
        """What the server has sent up to now: it answers in order, and so comes to an end."""
        frames = []
        await self.send(BARRIER, "phx_leave", {}, "barrier")
        while True:
            frame = await self.next()
            if isinstance(frame, Frame) and frame.topic == BARRIER:
                assert frame.status == "ok"
                return frames
            frames.append(frame)


def binding(event, table, **more):
    return {"event": event, "schema": "public", "table": table} | more
