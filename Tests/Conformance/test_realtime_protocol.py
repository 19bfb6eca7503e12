"""The protocol of version 1, frame by frame."""

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from wire import Wire, address, connect

TOPIC = "realtime:room"


async def test_step_081_a_second_join_ends_the_first(server, ada):
    async with await Wire.open(server) as raw:
        first = await raw.join(TOPIC, ada.token)
        await raw.send(TOPIC, "phx_join", {"config": {}, "access_token": ada.token}, "12", "12")
        close = await raw.next()
        assert (close.event, close.ref, close.topic, close.payload) == ("phx_close", first.ref, TOPIC, {})
        reply = await raw.next()
        assert (reply.event, reply.ref, reply.status) == ("phx_reply", "12", "ok")
        assert reply.response == {"postgres_changes": []}


async def test_step_082_what_belongs_to_no_channel(server, ada):
    async with await Wire.open(server) as raw:
        await raw.send("realtime:not joined", "phx_leave", {}, "1")
        left = await raw.next()
        assert (left.event, left.ref, left.status) == ("phx_reply", "1", "ok")
        await raw.send("realtime:not joined", "broadcast", {"type": "broadcast", "event": "x", "payload": {}}, "2")
        answer = await raw.next()
        assert (answer.ref, answer.reason) == ("2", "unmatched topic")
        await raw.socket.send("{nope")
        assert await raw.heard() == []
        reply = await raw.join(TOPIC, ada.token)
        await raw.send(TOPIC, "nosuch", {}, "9", reply.ref)
        assert await raw.heard() == []


async def test_step_083_signs_of_life(server, serve):
    async with await Wire.open(server) as raw:
        for ref in ("7", None):
            await raw.heartbeat(ref)
            answer = await raw.next()
            assert (answer.topic, answer.event, answer.ref) == ("phoenix", "phx_reply", ref)
            assert answer.payload == {"status": "ok", "response": {}}
        await (await raw.socket.ping())
    impatient = serve("--idle-limit", "2")
    raw = await Wire.open(impatient)
    with pytest.raises(ConnectionClosed) as end:
        await raw.next(seconds=6)
    assert end.value.rcvd.code == 1001
    impatient.stop()


async def test_step_087_sockets_need_a_key_and_a_known_version(server, ada):
    key = server.key
    refused = {
        address(server, vsn="1.0.0"): 401,
        address(server, apikey="wrong", vsn="1.0.0"): 401,
        address(server, apikey=key, vsn="3.0.0"): None,
        address(server, apikey=key): None,
    }
    for url, status in refused.items():
        with pytest.raises(InvalidStatus) as refusal:
            await connect(url)
        answer = refusal.value.response
        assert answer.status_code == (status or answer.status_code) >= 400
        assert b'"error"' in answer.body


async def test_step_089_many_channels_and_many_sockets(server, ada):
    async with await Wire.open(server) as raw:
        for number in range(100):
            assert (await raw.join(f"realtime:{number}", ada.token)).status == "ok"
        reason = (await raw.join("realtime:one more", ada.token)).reason
        assert reason.startswith("ChannelRateLimitReached:")
    sockets = [await Wire.open(server) for _ in range(100)]
    for one in sockets:
        assert (await one.join(TOPIC, ada.token)).status == "ok"
    assert server.health()["channels"] == 100
    push = {"type": "broadcast", "event": "x", "payload": {"to": "all"}}
    await sockets[0].send(TOPIC, "broadcast", push, "2", "1")
    for one in sockets[1:]:
        assert (await one.next()).payload == push
    for one in sockets:
        await one.socket.close()
