"""Official clients that are connected, and channels that tell what they hear."""

from supabase import AsyncClientOptions, acreate_client
from tape import Tape

PLAIN = {"ack": False, "self": False}


def config(private=False, presence=None, **broadcast):
    """What a channel is made with."""
    return {
        "config": {
            "broadcast": PLAIN | broadcast, "private": private,
            "presence": {"key": presence or "", "enabled": presence is not None},
        }
    }  # fmt: skip


class Feed:
    """A channel with everything it heard."""

    def __init__(self, client, topic, settings=None):
        self.client = client
        self.channel = client.channel(topic, settings or config())
        self.states, self.changes, self.systems, self.broadcasts = Tape(), Tape(), Tape(), Tape()
        self.channel.on_system(self.systems)

    def listen(self, event, table, callback=None, **more):
        """Adds a binding; its changes go to the callback, or to `changes`."""
        self.channel.on_postgres_changes(event, table=table, schema="public", callback=callback or self.changes, **more)
        return self

    def hear(self, event):
        """Adds a listener for broadcasts of this name."""
        self.channel.on_broadcast(event, self.broadcasts)
        return self

    async def join(self):
        """Subscribes; returns once the server has said so and, with bindings, that the feed is attached."""
        await self.channel.subscribe(lambda state, error=None: self.states((state, error)))
        await self.states.until(lambda states: states[-1:] and states[-1][0] == "SUBSCRIBED")
        if self.channel.postgres_changes_callbacks:
            await self.systems.until(lambda systems: [one for one in systems if one.status == "ok"])
        return self

    async def failure(self):
        """Subscribes; the reason with which the server refuses it."""
        await self.channel.subscribe(lambda state, error=None: self.states((state, error)))
        states = await self.states.until(lambda states: states)
        assert states[0][0] == "CHANNEL_ERROR", states
        return str(states[0][1])

    async def changed(self, number, seconds=10.0):
        """The data of so many changes; there must be no more."""
        return [change["data"] for change in await self.changes.count(number, seconds)]


async def connect(server, token=None, key=None):
    """An asynchronous client that speaks with this token from its first join on."""
    client = await acreate_client(server.url, key or server.key, AsyncClientOptions(auto_refresh_token=False))
    if token:
        await client.realtime.set_auth(token)
    return client
