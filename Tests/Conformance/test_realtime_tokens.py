"""Tokens of channels: renewed, run out, and none at all."""

import asyncio
import time

from live import Feed, connect
from people import somebody
from tape import holds
from tokens import expiring, setting
from wire import Wire, binding

MESSAGES = [binding("*", "messages")]
TOPIC = "realtime:inbox"


async def next_change(raw):
    return (await raw.until("postgres_changes")).payload["data"]["record"]["body"]


async def test_step_084_a_channel_takes_a_new_token(server, connected, ada, bo):
    crew, renewed = ada.group(bo), ada.again()
    client = await connected(ada)
    feed = await Feed(client, "inbox").listen("*", "messages").join()
    async with await Wire.open(server) as raw:
        reply = await raw.join(TOPIC, ada.token, MESSAGES)
        assert (await raw.next()).status == "ok"
        await raw.send(TOPIC, "access_token", {"access_token": renewed.token}, "21", reply.ref)
        system = await raw.next()
        assert (system.event, system.status, system.payload["extension"]) == ("system", "ok", "postgres_changes")
        await client.realtime.set_auth(renewed.token)
        await feed.systems.count(2)
        bo.send(crew, "still here")
        assert await next_change(raw) == "still here"
        assert (await feed.changed(1))[0]["record"]["body"] == "still here"

        late = expiring(server, ada.token, -60)
        await raw.send(TOPIC, "access_token", {"access_token": late}, "22", reply.ref)
        system, close = await raw.next(), await raw.next()
        assert (system.event, system.status, system.payload["extension"]) == ("system", "error", "system")
        assert system.payload["message"].startswith("Token has expired")
        assert (close.event, close.ref) == ("phx_close", reply.ref)
        await client.realtime.set_auth(late)
        await holds(lambda: feed.channel.is_closed)
    renewed.close()


async def test_step_085_a_token_runs_out(server, ada, bo):
    crew, began = ada.group(bo), time.time()
    token = expiring(server, ada.token, 3)
    client = await connect(server, token)
    feed = await Feed(client, "inbox").listen("*", "messages").join()
    async with await Wire.open(server) as raw:
        reply = await raw.join(TOPIC, token, MESSAGES)
        assert (await raw.next()).status == "ok"
        other = await raw.join("realtime:other", ada.token)
        bo.send(crew, "in time")
        assert await next_change(raw) == "in time"
        system, close = await raw.until("system"), await raw.next()
        assert 2 < time.time() - began < 6
        assert (system.event, system.ref, system.payload["extension"]) == ("system", None, "system")
        assert (system.status, system.topic) == ("error", TOPIC)
        assert system.payload["message"].startswith("Token has expired ")
        assert (close.event, close.ref, close.topic) == ("phx_close", reply.ref, TOPIC)
        await raw.heartbeat("8")
        assert (await raw.next()).ref == "8"
        assert other.status == "ok" and await raw.heard() == []
    await holds(lambda: feed.channel.is_closed)
    assert client.realtime.is_connected and client.realtime._ws_connection.close_code is None
    await client.realtime.close()


async def test_step_086_joins_without_a_good_token(server, ada, bo):
    crew = ada.group(bo)
    expired = await connect(server, expiring(server, ada.token, -73))
    reason = await Feed(expired, "inbox").failure()
    assert '"InvalidJWTToken: Token has expired 7' in reason, reason
    await expired.realtime.close()
    async with await Wire.open(server) as hearer:
        await hearer.join(TOPIC, ada.token, MESSAGES)
        clients = [await connect(server, token) for token in (setting(server, "opaque_key"), server.key)]
        feeds = [await Feed(client, "inbox").listen("*", "messages").join() for client in clients]
        async with await Wire.open(server) as raw:
            assert (await raw.join(TOPIC, None, MESSAGES)).status == "ok"
            assert (await raw.next()).status == "ok"
            bo.send(crew, "not for everybody")
            assert await next_change(hearer) == "not for everybody"
            assert await raw.heard() == []
        for client, feed in zip(clients, feeds):
            # What the server sends next comes behind whatever it would have sent before.
            await feed.channel.unsubscribe()
            await holds(lambda feed=feed: feed.channel.is_closed)
            assert feed.changes.items == []
            await client.realtime.close()


async def test_step_088_a_server_comes_back(serve):
    server = serve()
    with somebody(server, "ada") as ada, somebody(server, "bo") as bo:
        crew = ada.group(bo)
        client = await connect(server, ada.token)
        feed = await Feed(client, "inbox").listen("*", "messages").join()
        for number, end in enumerate((server.kill, server.stop), 1):
            known = bo.send(crew, f"before {number}")
            await feed.changes.until(lambda changes: changes[-1:] and _id(changes[-1]) == known["id"])
            await asyncio.to_thread(end)
            await asyncio.to_thread(server.start)
            began = time.monotonic()
            missed = bo.send(crew, f"meanwhile {number}")
            await feed.systems.count(1 + number, seconds=10)
            assert time.monotonic() - began < 10
            later = ada.table("messages").select("id").eq("conversation_id", crew)
            rows = later.gt("updated_at", known["updated_at"]).order("updated_at").execute().data
            assert [row["id"] for row in rows] == [missed["id"]]
            back = bo.send(crew, f"after {number}")
            await feed.changes.until(lambda changes: _id(changes[-1]) == back["id"])
        await client.realtime.close()
    server.stop()


def _id(change):
    return change["data"]["record"]["id"]
