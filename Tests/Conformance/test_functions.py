"""The functions."""

import pytest
from moments import FAR_FUTURE, is_timestamp, microseconds
from people import new_id


@pytest.fixture
def crew(ada, bo):
    """A group of two."""
    return ada.group(bo)


def listed(person, conversation):
    """The conversation's row in somebody's list."""
    (row,) = [row for row in person.rpc("list_conversations", limit=200) if row["id"] == conversation]
    return row


def test_step_022_conversations_are_made_once(ada, bo, cy):
    direct = ada.rpc("create_conversation", member_ids=[bo.id])
    assert isinstance(direct, dict) and direct["is_group"] is False
    assert bo.rpc("create_conversation", member_ids=[ada.id])["id"] == direct["id"]
    group = {"member_ids": [bo.id, cy.id], "title": "Trip", "is_group": True, "id": new_id()}
    first, second = (ada.rpc("create_conversation", **group) for _ in range(2))
    assert first == second and first["id"] == group["id"] and first["title"] == "Trip"
    assert ada.refused_rpc("create_conversation", member_ids=[new_id()]) == ("23503", 409)


def test_step_039_reactions_go_on_and_off(ada, bo, crew):
    message = ada.send(crew, "hello")["id"]

    def rows():
        return bo.table("reactions").select("*").eq("message_id", message).execute().data

    def react(on):
        row = bo.rpc("set_reaction", message_id=message, symbol="👍", on=on)
        assert rows() == [row]
        assert (row["user_id"], row["symbol"], row["conversation_id"]) == (bo.id, "👍", crew)
        return row

    on = react(True)
    assert on["removed_at"] is None and react(True) == on
    off = react(False)
    assert is_timestamp(off["removed_at"])
    assert microseconds(off["updated_at"]) > microseconds(on["updated_at"])
    again = {"message_id": message, "user_id": bo.id, "symbol": "👍", "removed_at": None}
    bo.table("reactions").upsert(again, on_conflict="message_id,user_id,symbol").execute()
    assert [row["removed_at"] for row in rows()] == [None]


def test_step_040_marks_never_move_back(ada, bo, xi, crew):
    older, newer = ada.send_all(crew, "older", "newer")
    for name in ("mark_delivered", "mark_read"):
        mark = bo.rpc(name, conversation_id=crew, message_id=newer["id"])
        assert is_timestamp(mark) and mark == newer["created_at"]
        assert bo.rpc(name, conversation_id=crew, message_id=older["id"]) == mark
        assert bo.refused_rpc(name, conversation_id=crew, message_id=new_id()) == ("PT404", 404)
        assert xi.refused_rpc(name, conversation_id=crew, message_id=newer["id"]) == ("42501", 403)
    row = listed(ada, crew)
    assert row["others_read_at"] == newer["created_at"]
    assert (row["unread_count"], listed(bo, crew)["unread_count"]) == (0, 0)


def test_step_041_the_list_and_its_flags(ada, bo, xi, crew):
    for title in ("second", "third"):
        ada.send(ada.group(bo, title=title), f"hello {title}")
    older, newer = ada.send_all(crew, "older", "newer")
    bo.rpc("mark_read", conversation_id=crew, message_id=older["id"])
    row = listed(bo, crew)
    assert (row["unread_count"], row["last_message_body"]) == (1, "newer")
    assert listed(ada, crew)["others_read_at"] == older["created_at"]

    whole = [row["id"] for row in ada.rpc("list_conversations", limit=200)]
    paged = page = ada.rpc("list_conversations", limit=1)
    while page:
        assert len(page) == 1
        page = ada.rpc("list_conversations", limit=1, before=page[-1]["activity_at"], before_id=page[-1]["id"])
        paged = paged + page
    assert [row["id"] for row in paged] == whole and len(set(whole)) == len(whole)

    flags = ("pinned_at", "archived_at", "muted_until")

    def set_flags(**change):
        ada.rpc("set_conversation_flags", conversation_id=crew, **change)
        row = listed(ada, crew)
        return [row[flag] is not None for flag in flags]

    assert set_flags(pinned=True) == [True, False, False]
    assert set_flags(archived=True) == [True, True, False]
    assert set_flags(pinned=None, archived=None, muted_until=FAR_FUTURE) == [True, True, True]
    assert microseconds(listed(ada, crew)["muted_until"]) == microseconds(FAR_FUTURE)
    assert [listed(bo, crew)[flag] for flag in flags] == [None, None, None]
    assert set_flags(pinned=False) == [False, True, True]
    assert set_flags(archived=False, muted_until="2001-01-01T00:00:00Z") == [False, False, False]
    assert xi.refused_rpc("set_conversation_flags", conversation_id=crew, pinned=True) == ("42501", 403)
    for table, column in (("conversation_members", "last_read_at"), ("conversation_flags", "pinned_at")):
        direct = ada.table(table).update({column: "now"}).eq("conversation_id", crew)
        assert ada.refused(direct) == ("42501", 403)


def test_step_042_search_stays_among_ones_own(ada, bo, cy, crew):
    word = "hello" + new_id()[:8]
    apart = cy.group(ada)
    cy.send(apart, f"{word} apart")
    here = ada.send(crew, f"{word} here")
    there = ada.send(ada.group(bo), f"well, {word} there")
    found = {row["id"] for row in bo.rpc("search_messages", query=word)}
    assert found == {here["id"], there["id"]}
    (row,) = bo.rpc("search_messages", query=word, conversation_id=crew)
    assert row["id"] == here["id"]
    assert bo.rpc("search_messages", query=word, conversation_id=apart) == []


def test_step_043_members_come_and_go(ada, bo, cy, crew):
    assert bo.refused_rpc("add_members", conversation_id=crew, member_ids=[cy.id]) == ("42501", 403)
    assert ada.rpc("add_members", conversation_id=crew, member_ids=[cy.id]) == 1
    cy.send(crew, "here I am")
    left = cy.raw("POST", "/rest/v1/rpc/leave_conversation", json={"p_conversation_id": crew})
    assert (left.status_code, left.content) == (204, b"")
    message = {"id": new_id(), "conversation_id": crew, "body": "too late"}
    assert cy.refused(cy.table("messages").insert(message)) == ("42501", 403)
