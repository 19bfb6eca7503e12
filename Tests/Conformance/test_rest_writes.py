"""What is written over REST, and what the rules refuse."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from moments import is_timestamp, microseconds
from people import new_id, nobody


@pytest.fixture
def crew(ada, bo, cy):
    """A group of three."""
    return ada.group(bo, cy)


def insert(person, conversation, **columns):
    """The query that inserts a message with these columns."""
    row = {"id": new_id(), "conversation_id": conversation, "body": "hello"} | columns
    return person.table("messages").insert(row)


def test_step_021_profiles_are_their_owners(ada, bo):
    def update(change, person):
        return ada.table("profiles").update(change).eq("id", person.id)

    rows = update({"display_name": "Ada!"}, ada).execute().data
    assert [row["display_name"] for row in rows] == ["Ada!"]
    assert update({"display_name": "Ada!"}, bo).execute().data == []
    assert ada.refused(update({"username": bo_name(bo)}, ada)) == ("23505", 409)
    assert ada.refused(update({"username": "B B"}, ada)) == ("23514", 400)


def bo_name(bo):
    return bo.table("profiles").select("username").eq("id", bo.id).single().execute().data["username"]


def test_step_023_a_message_is_stored(ada, crew):
    sent = {"id": new_id(), "conversation_id": crew, "body": "hello"}
    ada.send(crew, "before")
    before = ada.table("conversations").select("changed_at").eq("id", crew).single().execute().data["changed_at"]
    rows = ada.table("messages").insert(sent | {"created_at": "2001-01-01T00:00:00Z"}).execute().data
    assert len(rows) == 1 and sent.items() <= rows[0].items()
    assert rows[0]["sender_id"] == ada.id
    assert is_timestamp(rows[0]["created_at"]) and rows[0]["created_at"] == rows[0]["updated_at"]
    assert microseconds(rows[0]["created_at"]) > microseconds(before)
    assert rows[0]["edited_at"] is rows[0]["deleted_at"] is None


def test_step_024_upsert_ignores_duplicates(ada, crew):
    def upsert(row):
        query = ada.table("messages").upsert(row, on_conflict="id", ignore_duplicates=True)
        return query.execute().data

    sent = {"id": new_id(), "conversation_id": crew, "body": "hello"}
    insert(ada, crew, **sent).execute()
    assert upsert(sent) == []
    other = new_id()
    rows = upsert(sent | {"id": other.upper()})
    assert [row["id"] for row in rows] == [other]
    assert upsert(sent | {"id": other.upper()}) == []


def test_step_025_a_taken_id_is_refused(ada, crew):
    taken = ada.send(crew, "hello")["id"]
    assert ada.refused(insert(ada, crew, id=taken)) == ("23505", 409)


def test_step_026_several_rows_in_order(ada, crew):
    sent = [{"id": new_id(), "conversation_id": crew, "body": body} for body in ("one", "two")]
    rows = ada.table("messages").insert(sent).execute().data
    assert [(row["id"], row["body"]) for row in rows] == [(row["id"], row["body"]) for row in sent]
    assert microseconds(rows[0]["created_at"]) < microseconds(rows[1]["created_at"])


def test_step_027_nobody_speaks_for_another(server, ada, bo, xi, crew):
    assert ada.refused(insert(ada, crew, sender_id=bo.id)) == ("42501", 403)
    assert xi.refused(insert(xi, crew)) == ("42501", 403)
    with nobody(server) as other:
        assert other.refused(insert(other, crew)) == ("42501", 401)


def test_step_028_rows_that_break_a_rule(ada, bo, crew):
    elsewhere = ada.group(bo)
    other = ada.send(elsewhere, "elsewhere")["id"]
    for columns, answer in [
        ({"body": ""}, ("23514", 400)),
        ({"body": "x" * 8_001}, ("23514", 400)),
        ({"id": "nope"}, ("22P02", 400)),
        ({"bodyy": "hello"}, ("PGRST204", 400)),
        ({"reply_to": other}, ("23503", 409)),
        ({"image_path": f"{elsewhere}/{new_id()}/cat.png"}, ("23514", 400)),
    ]:
        assert ada.refused(insert(ada, crew, **columns)) == answer, columns
    assert insert(ada, crew, body="x" * 8_000).execute().data[0]["body"] == "x" * 8_000


def test_step_036_an_edit_is_the_senders(ada, bo, crew):
    message = ada.send(crew, "hello")

    def update(person, change):
        return person.table("messages").update(change).eq("id", message["id"])

    (row,) = update(ada, {"body": "hello!"}).execute().data
    assert row["body"] == "hello!" and is_timestamp(row["edited_at"])
    assert microseconds(row["updated_at"]) > microseconds(message["updated_at"])
    assert row["created_at"] == message["created_at"]
    assert update(bo, {"body": "mine"}).execute().data == []
    assert ada.refused(update(ada, {"sender_id": bo.id})) == ("42501", 403)


def test_step_037_a_deletion_blanks_and_stays(ada, crew):
    message = ada.send(crew, "hello")

    def update(change):
        return ada.table("messages").update(change).eq("id", message["id"])

    (row,) = update({"deleted_at": "now"}).execute().data
    assert row["body"] == "" and is_timestamp(row["deleted_at"])
    assert row["deleted_at"] == row["updated_at"] > message["updated_at"]
    assert ada.refused(update({"body": "again"})) == ("42501", 403)
    assert ada.refused(ada.table("messages").delete().eq("id", message["id"])) == ("42501", 403)


class Reader:
    """Reads what was written while others write, by one way of keeping a cursor."""

    def __init__(self, person, conversation):
        self.person, self.conversation = person, conversation
        start = person.table("conversations").select("changed_at").eq("id", conversation).single()
        self.cursor = start.execute().data["changed_at"]
        self.seen, self.rows = set(), 0

    def page(self, after):
        query = self.person.table("messages").select("id,updated_at").eq("conversation_id", self.conversation)
        return query.gt("updated_at", after).order("updated_at").order("id").limit(20).execute().data

    def pages(self):
        """Reads on from the cursor to an empty page; the last row's time."""
        after = self.cursor
        while rows := self.page(after):
            self.seen |= {row["id"] for row in rows}
            self.rows += len(rows)
            after = rows[-1]["updated_at"]
        return after

    def by_rows(self):
        self.cursor = self.pages()

    def by_changed_at(self):
        query = self.person.table("conversations").select("changed_at").eq("id", self.conversation).single()
        changed = query.execute().data["changed_at"]
        self.pages()
        self.cursor = changed


def test_step_046_many_senders_and_no_reader_misses_any(server, ada, bo, cy, crew):
    senders = [ada.again(), ada.again(), bo.again(), cy.again()]
    readers = [Reader(bo.again(), crew), Reader(cy.again(), crew)]
    done = threading.Event()

    def send(person):
        sent = []
        for number in range(50):
            row = {"id": new_id(), "conversation_id": crew, "body": f"{person.name} {number}"}
            for _ in range(2):
                person.table("messages").upsert(row, on_conflict="id", ignore_duplicates=True).execute()
            sent.append(row["id"])
        return sent

    def read(step):
        while not done.is_set():
            step()
        step()

    with ThreadPoolExecutor(8) as pool:
        reading = [pool.submit(read, readers[0].by_rows), pool.submit(read, readers[1].by_changed_at)]
        try:
            sent = [one for part in pool.map(send, senders) for one in part]
        finally:
            done.set()
        for one in reading:
            one.result()
    rows = ada.table("messages").select("id,created_at").eq("conversation_id", crew).order("created_at").execute().data
    assert len(rows) == 200 and {row["id"] for row in rows} == set(sent)
    times = [microseconds(row["created_at"]) for row in rows]
    assert all(earlier < later for earlier, later in zip(times, times[1:]))
    for reader in readers:
        assert reader.seen == set(sent)
    assert readers[0].rows == 200
    for person in senders + [reader.person for reader in readers]:
        person.close()
