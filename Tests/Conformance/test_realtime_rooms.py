"""Channels, broadcasts, private rooms and presence, through the official client."""

import asyncio

from live import Feed, config
from tape import Tape, holds
from vitals import Vitals
from wire import Wire


async def test_step_070_a_plain_channel_comes_and_goes(server, connected, ada):
    client = await connected(ada)
    feed = await Feed(client, "plain").join()
    await feed.channel.unsubscribe()
    await feed.states.until(lambda states: states[-1][0] == "CLOSED")
    assert feed.channel.is_closed and client.get_channels() == []
    other = await Feed(client, "another").join()
    await client.remove_channel(other.channel)
    # It was the last, so the socket goes with it.
    assert client.get_channels() == [] and not client.realtime.is_connected
    await asyncio.to_thread(server.wait_health, lambda health: health["sockets"] == health["channels"] == 0)
    # What the last step compares with.
    server.vitals = Vitals(server)


async def test_step_078_broadcasts(server, connected, ada, bo):
    here = await Feed(await connected(ada), "room").hear("typing").join()
    there = await Feed(await connected(bo), "room").hear("typing").join()
    await here.channel.send_broadcast("typing", {"on": True})
    (heard,) = await there.broadcasts.count(1)
    assert (heard["event"], heard["payload"]) == ("typing", {"on": True})
    await there.channel.send_broadcast("typing", {"on": False})
    # Her own did not come back before that.
    assert [one["payload"] for one in await here.broadcasts.count(1)] == [{"on": False}]

    echo = await Feed(await connected(ada), "echo", config(self=True)).hear("typing").join()
    await echo.channel.send_broadcast("typing", {"on": 1})
    assert [one["payload"] for one in await echo.broadcasts.count(1)] == [{"on": 1}]

    async with await Wire.open(server) as raw:
        topic = "realtime:acknowledged"
        reply = await raw.join(topic, ada.token, broadcast={"ack": True, "self": False})
        push = {"type": "broadcast", "event": "typing", "payload": {}}
        await raw.send(topic, "broadcast", push, "7", reply.ref)
        answer = await raw.next()
        assert (answer.event, answer.ref, answer.payload) == ("phx_reply", "7", {"status": "ok", "response": {}})

    if hasattr(here.channel, "http_send"):
        await here.channel.http_send("typing", {"over": "http"})
        assert (await there.broadcasts.count(2))[-1]["payload"] == {"over": "http"}
    before = len(there.broadcasts.items)
    message = {"topic": "room", "event": "typing", "payload": {"from": "outside"}, "private": False}
    answer = ada.raw("POST", "/realtime/v1/api/broadcast", json={"messages": [message]})
    assert (answer.status_code, answer.content) == (202, b"")
    assert (await there.broadcasts.count(before + 1))[-1]["payload"] == {"from": "outside"}


async def test_step_079_a_private_room_is_its_members(connected, ada, bo, xi):
    topic = f"conversation:{ada.group(bo)}"
    await Feed(await connected(bo), topic, config(private=True)).join()
    reason = await Feed(await connected(xi), topic, config(private=True)).failure()
    assert '"Unauthorized: ' in reason, reason


class Lobby:
    """Somebody in a room where they see who else is there."""

    def __init__(self, client, key):
        self.feed = Feed(client, "lobby", config(presence=key))
        self.syncs, self.joins, self.leaves = Tape(), Tape(), Tape()
        self.channel = self.feed.channel
        self.channel.on_presence_sync(lambda: self.syncs(self.there()))
        self.channel.on_presence_join(lambda key, _, new: self.joins((key, [self.plain(one) for one in new])))
        self.channel.on_presence_leave(lambda key, _, left: self.leaves((key, [self.plain(one) for one in left])))

    @staticmethod
    def plain(presence):
        return {name: value for name, value in presence.items() if name not in ("presence_ref", "phx_ref_prev")}

    def there(self):
        return {key: [self.plain(one) for one in all] for key, all in self.channel.presence_state().items()}

    async def join(self):
        await self.feed.join()
        await self.syncs.until(lambda syncs: syncs)
        return self

    async def left(self, key, payload):
        await self.leaves.until(lambda leaves: (key, [payload]) in leaves)
        await holds(lambda: key not in self.there())


async def test_step_080_presence(server, connected, ada, bo, cy):
    here = await Lobby(await connected(ada), ada.id).join()
    there = await Lobby(await connected(bo), bo.id).join()
    online, away = {"state": "online"}, {"state": "away"}
    await here.channel.track(online)
    for one in (here, there):
        await one.syncs.until(lambda syncs: syncs[-1] == {ada.id: [online]})
    await here.channel.track(away)
    for one in (here, there):
        await one.joins.until(lambda joins: joins[-1] == (ada.id, [away]))
        await holds(lambda one=one: one.there() == {ada.id: [away]})
    await here.channel.untrack()
    for one in (here, there):
        await one.left(ada.id, away)

    await there.channel.track(online)
    await here.syncs.until(lambda syncs: syncs[-1] == {bo.id: [online]})
    await there.channel.unsubscribe()
    await here.left(bo.id, online)

    raw = await Wire.open(server)
    reply = await raw.join("realtime:lobby", cy.token, presence={"key": cy.id, "enabled": True})
    track = {"type": "presence", "event": "track", "payload": online}
    await raw.send("realtime:lobby", "presence", track, "5", reply.ref)
    await here.syncs.until(lambda syncs: syncs[-1] == {cy.id: [online]})
    raw.socket.transport.abort()
    await here.left(cy.id, online)
