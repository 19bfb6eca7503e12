"""The protocol of version 2: arrays, and binary broadcasts."""

import json

import pytest
from wire import Wire, binding

TWO = "2.0.0"
TOPIC = "realtime:room"


async def test_step_090_frames_are_arrays(server, ada, bo):
    crew = ada.group(bo)
    async with await Wire.open(server, TWO) as raw:
        bindings = [binding("INSERT", "messages", filter=f"conversation_id=eq.{crew}")]
        presence = {"key": ada.id, "enabled": True}
        reply = await raw.join(TOPIC, ada.token, bindings, presence=presence)
        assert (reply.join_ref, reply.ref, reply.status) == ("1", "1", "ok")
        entry = dict(reply.response["postgres_changes"][0])
        assert 0 < entry.pop("id") < 2**27 and entry == bindings[0]
        state, system = await raw.next(), await raw.next()
        assert state == ("1", None, TOPIC, "presence_state", {})
        assert system[:4] == ("1", None, TOPIC, "system")
        assert (system.payload["status"], system.payload["message"]) == ("ok", "Subscribed to PostgreSQL")

        await raw.heartbeat("12")
        answer = {"status": "ok", "response": {}}
        assert await raw.next() == (None, "12", "phoenix", "phx_reply", answer)

        message = bo.send(crew, "hello")
        change = await raw.next()
        assert change[:4] == (None, None, TOPIC, "postgres_changes")
        assert change.payload["data"]["record"]["id"] == message["id"]

        track = {"type": "presence", "event": "track", "payload": {"state": "online"}}
        await raw.send(TOPIC, "presence", track, "13", "1")
        assert await raw.next() == ("1", "13", TOPIC, "phx_reply", answer)
        diff = await raw.next()
        assert diff[:4] == (None, None, TOPIC, "presence_diff")
        assert diff.payload["joins"][ada.id]["metas"][0]["state"] == "online"

        await raw.send(TOPIC, "phx_leave", {}, "14", "1")
        assert await raw.next() == ("1", "14", TOPIC, "phx_reply", answer)
        assert await raw.next() == ("1", "1", TOPIC, "phx_close", {})


def push(event, payload, encoding, join_ref="1", ref="", topic=TOPIC, meta="{}"):
    """A binary broadcast as a client sends it."""
    texts = [text.encode() for text in (join_ref, ref, topic, event, meta)]
    return bytes([3, *(len(text) for text in texts), encoding]) + b"".join(texts) + payload


def delivered(data):
    """A binary broadcast as a client gets it: topic, event, meta, encoding and payload."""
    assert data[0] == 4
    lengths, encoding, texts, start = data[1:4], data[4], [], 5
    for length in lengths:
        texts.append(data[start : start + length].decode())
        start += length
    return (*texts, encoding, data[start:])


@pytest.fixture
async def room(server, ada, bo, cy):
    """A sender and a receiver of version 2, and one of version 1."""
    wires = [await Wire.open(server, TWO), await Wire.open(server, TWO), await Wire.open(server)]
    for raw, person in zip(wires, (ada, bo, cy)):
        assert (await raw.join(TOPIC, person.token)).status == "ok"
    yield wires
    for raw in wires:
        await raw.socket.close()


async def test_step_091_binary_broadcasts(room):
    sender, two, one = room
    payload = json.dumps({"on": True}).encode()
    await sender.socket.send(push("typing", payload, 1))
    topic, event, meta, encoding, body = delivered(await two.next())
    assert (topic, event, encoding, json.loads(body)) == (TOPIC, "typing", 1, {"on": True})
    assert meta in ("", "{}")
    text = await one.next()
    assert (text.topic, text.event, text.ref) == (TOPIC, "broadcast", None)
    assert text.payload == {"type": "broadcast", "event": "typing", "payload": {"on": True}}

    await sender.socket.send(push("raw", b"\x00\xff\x01", 0))
    assert delivered(await two.next())[1::2] == ("raw", 0)
    assert await one.heard() == []

    words = {"type": "broadcast", "event": "typing", "payload": {"from": "one"}}
    await one.send(TOPIC, "broadcast", words, "9", "1")
    for raw in (sender, two):
        frame = await raw.next()
        assert frame == (None, None, TOPIC, "broadcast", words)

    whole = push("typing", payload, 1)
    longer = bytes([3, 255, 255, 255, 255, 255, 1]) + b"short"
    for broken in (b"", b"\x03", whole[:6], whole[:20], longer, b"\x09" + whole[1:]):
        await sender.socket.send(broken)
    assert await sender.heard() == []
    await sender.heartbeat("7")
    assert (await sender.next()).ref == "7"
    for raw in (two, one):
        assert await raw.heard() == []
