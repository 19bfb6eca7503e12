"""The change feed, through the official client."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from live import Feed
from moments import microseconds
from tape import Tape, holds
from wire import Wire, binding


@pytest.fixture
def crew(ada, bo, cy):
    """A group of three."""
    return ada.group(bo, cy)


def bodies(changes):
    return [(change["type"], change["record"]["body"]) for change in changes]


def stored(person, table, **key):
    query = person.table(table).select("*")
    for column, value in key.items():
        query = query.eq(column, value)
    return query.single().execute().data


async def test_step_071_bindings_are_joined_and_the_feed_attached(connected, ada, crew):
    feed = Feed(await connected(ada), "inbox")
    feed.listen("INSERT", "messages", filter=f"conversation_id=eq.{crew}").listen("*", "reactions")
    await feed.join()
    (system,) = feed.systems.items
    assert (system.status, system.extension, system.channel) == ("ok", "postgres_changes", "inbox")
    assert system.message == "Subscribed to PostgreSQL"


async def test_step_072_a_message_is_announced_once(connected, ada, bo, crew):
    feed = Feed(await connected(ada), "inbox")
    await feed.listen("INSERT", "messages", filter=f"conversation_id=eq.{crew}").join()
    first = bo.send(crew, "hello")
    bo.send(ada.group(bo), "elsewhere")
    second = bo.send(crew, "here again")
    changes = await feed.changed(2)
    assert [change["record"]["id"] for change in changes] == [first["id"], second["id"]]
    assert changes[0]["record"] == stored(ada, "messages", id=first["id"])
    assert changes[0]["errors"] is None
    assert (changes[0]["schema"], changes[0]["table"], changes[0]["type"]) == ("public", "messages", "INSERT")
    assert {column["name"] for column in changes[0]["columns"]} == changes[0]["record"].keys()
    assert [len(change["ids"]) for change in feed.changes.items] == [1, 1]
    assert feed.changes.items[0]["ids"] == [feed.channel.postgres_changes_callbacks[0].id]


async def test_step_073_edits_deletions_and_reactions(connected, ada, bo, crew):
    feed = Feed(await connected(ada), "inbox")
    await feed.listen("*", "messages").listen("*", "reactions").join()
    message = bo.send(crew, "hello")
    bo.table("messages").update({"body": "hello!"}).eq("id", message["id"]).execute()
    bo.rpc("set_reaction", message_id=message["id"], symbol="👍", on=True)
    bo.rpc("set_reaction", message_id=message["id"], symbol="👍", on=False)
    bo.table("messages").update({"deleted_at": "now"}).eq("id", message["id"]).execute()
    new, edit, on, off, gone = await feed.changed(5)
    assert [one["type"] for one in (new, edit, on, off, gone)] == ["INSERT", "UPDATE", "INSERT", "UPDATE", "UPDATE"]
    assert edit["old_record"] == new["record"]
    assert (edit["record"]["body"], edit["record"]["edited_at"] is None) == ("hello!", False)
    assert on["record"]["removed_at"] is None and off["record"]["removed_at"] is not None
    assert off["old_record"] == {"message_id": message["id"], "user_id": bo.id, "symbol": "👍"}
    assert gone["old_record"] == edit["record"]
    assert gone["record"] == stored(ada, "messages", id=message["id"])
    assert gone["record"]["body"] == ""


async def test_step_074_only_members_hear(connected, ada, bo, cy, xi, crew):
    outsider = Feed(await connected(xi), "inbox")
    await outsider.listen("*", "messages").listen("UPDATE", "profiles").join()
    feed = Feed(await connected(ada), "inbox")
    await feed.listen("*", "messages").join()
    later = cy.group(bo, title="Later")
    cy.send(later, "without Ada")
    cy.rpc("add_members", conversation_id=later, member_ids=[ada.id])
    cy.send(later, "with Ada")
    bo.send(crew, "to all")
    assert bodies(await feed.changed(2)) == [("INSERT", "with Ada"), ("INSERT", "to all")]
    # Her own profile comes behind all of that, and is the first thing she hears.
    xi.table("profiles").update({"about": "listening"}).eq("id", xi.id).execute()
    (change,) = await outsider.changed(1)
    assert (change["table"], change["record"]["about"]) == ("profiles", "listening")


async def test_step_075_overlaps_and_repeats(server, connected, ada, bo, crew):
    feed, narrow, members = Feed(await connected(ada), "inbox"), Tape(), Tape()
    feed.listen("*", "messages").listen("INSERT", "messages", narrow, filter=f"conversation_id=eq.{crew}")
    await feed.listen("*", "conversation_members", members).join()
    async with await Wire.open(server) as raw:
        both = [binding("*", "messages"), binding("INSERT", "messages", filter=f"conversation_id=eq.{crew}")]
        await raw.join("realtime:inbox", ada.token, both)
        message = bo.send(crew, "hello")
        frame = await raw.until("postgres_changes")
        assert len(set(frame.payload["ids"])) == 2
        assert (await raw.heard()) == []
    bo.rpc("mark_read", conversation_id=crew)
    await members.count(1)
    row = {"id": message["id"], "conversation_id": crew, "body": "hello"}
    bo.table("messages").upsert(row, on_conflict="id", ignore_duplicates=True).execute()
    bo.rpc("mark_read", conversation_id=crew)
    bo.send(crew, "the last")
    bo.rpc("mark_read", conversation_id=crew)
    assert bodies(await feed.changed(2)) == [("INSERT", "hello"), ("INSERT", "the last")]
    await narrow.count(2)
    await members.count(2)


async def test_step_076_bindings_that_cannot_be_served(server, connected, ada, crew):
    bad = [
        binding("*", "nosuch"),
        binding("*", "messages", filter="nosuch=eq.1"),
        binding("*", "messages", filter="conversation_id=nope.1"),
    ]
    async with await Wire.open(server) as raw:
        for number, entry in enumerate(bad):
            reply = await raw.join(f"realtime:bad {number}", ada.token, [entry])
            assert reply.response["postgres_changes"][0].items() >= entry.items()
            system = await raw.next()
            assert (system.event, system.ref, system.status) == ("system", None, "error")
            assert system.payload["extension"] == "postgres_changes"
        await raw.heartbeat("9")
        assert (await raw.next()).ref == "9"
    for number, entry in enumerate(bad):
        client = await connected(ada)
        feed = Feed(client, f"bad {number}")
        feed.listen(entry["event"], entry["table"], filter=entry.get("filter"))
        await feed.channel.subscribe(lambda state, error=None: feed.states((state, error)))
        await error_of(feed)
        assert client.realtime.is_connected
        await feed.channel.unsubscribe()


async def error_of(feed):
    """Waits until the client has noticed the error, in whichever way it tells."""
    await holds(lambda: feed.channel.is_errored or "CHANNEL_ERROR" in [state for state, _ in feed.states.items])


async def test_step_077_five_hundred_at_once(connected, ada, bo, cy, crew):
    feed = Feed(await connected(ada), "inbox")
    await feed.listen("INSERT", "messages", filter=f"conversation_id=eq.{crew}").join()
    senders = [bo.again(), bo.again(), cy.again(), cy.again()]

    def send(person):
        return [person.send(crew, str(number))["id"] for number in range(125)]

    with ThreadPoolExecutor(4) as pool:
        parts = await asyncio.gather(*(asyncio.wrap_future(pool.submit(send, person)) for person in senders))
    sent = [one for part in parts for one in part]
    changes = await feed.changed(500, 30)
    last = bo.send(crew, "the last")
    changes = await feed.changed(501)
    assert changes.pop()["record"]["id"] == last["id"]
    assert sorted(change["record"]["id"] for change in changes) == sorted(sent)
    times = [microseconds(change["record"]["created_at"]) for change in changes]
    assert all(earlier < later for earlier, later in zip(times, times[1:]))
    for person in senders:
        person.close()
