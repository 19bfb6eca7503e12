"""What is read over REST: filters, order, pages, counts, embedded rows."""

import pytest
from moments import FAR_FUTURE
from tokens import altered, expiring


@pytest.fixture
def crew(ada, bo, cy):
    """A group of three."""
    return ada.group(bo, cy)


def ids(rows):
    return [row["id"] for row in rows]


def newest(person, conversation, limit):
    """The query for the newest messages."""
    query = person.table("messages").select("*").eq("conversation_id", conversation)
    return query.order("created_at", desc=True).order("id", desc=True).limit(limit)


def every_page(first, following):
    """All pages up to the empty one."""
    pages = [first.execute().data]
    while pages[-1]:
        pages.append(following(pages[-1][-1]).execute().data)
    return pages[:-1]


def test_step_020_profiles_are_read_and_found(ada, bo):
    row = ada.table("profiles").select("*").eq("id", ada.id).single().execute().data
    assert (row["id"], row["username"]) == (ada.id, "ada")
    found = ada.rpc("search_profiles", query="bo")
    assert isinstance(found, list) and bo.id in ids(found)


def test_step_029_history_in_pages(ada, bo, crew):
    sent = ids(ada.send_all(crew, *(f"line {number}" for number in range(7))))
    pages = every_page(
        newest(bo, crew, 2), lambda last: newest(bo, crew, 2).lt("created_at", last["created_at"])
    )
    assert [ids(page) for page in pages] == [
        [sent[6], sent[5]], [sent[4], sent[3]], [sent[2], sent[1]], [sent[0]],
    ]  # fmt: skip


def test_step_030_what_changed_since(ada, bo, crew):
    rows = ada.send_all(crew, *(f"line {number}" for number in range(6)))
    since = rows[-1]["updated_at"]
    ada.table("messages").update({"body": "changed"}).eq("id", rows[1]["id"]).execute()
    ada.table("messages").update({"deleted_at": "now"}).eq("id", rows[0]["id"]).execute()
    new = bo.send(crew, "new")
    wanted = [rows[1]["id"], rows[0]["id"], new["id"]]

    def changed(after):
        query = bo.table("messages").select("*").eq("conversation_id", crew).gt("updated_at", after)
        return query.order("updated_at").order("id")

    assert ids(changed(since).execute().data) == wanted
    pages = every_page(changed(since).limit(2), lambda last: changed(last["updated_at"]).limit(2))
    assert [ids(page) for page in pages] == [wanted[:2], wanted[2:]]


def test_step_031_pages_that_break_ties(ada, bo, crew):
    ada.send_all(crew, *(f"line {number}" for number in range(7)))

    def tied(last):
        time, one = last["created_at"], last["id"]
        return newest(bo, crew, 2).or_(f"created_at.lt.{time},and(created_at.eq.{time},id.lt.{one})")

    plain = every_page(
        newest(bo, crew, 2), lambda last: newest(bo, crew, 2).lt("created_at", last["created_at"])
    )
    assert every_page(newest(bo, crew, 2), tied) == plain
    assert len(plain) == 4


def test_step_032_ranges_and_counts(ada, crew):
    sent = ids(ada.send_all(crew, "one", "two", "three", "four", "five"))

    def select(**more):
        return ada.table("messages").select("id", **more).eq("conversation_id", crew).order("created_at")

    assert ids(select().range(0, 1).execute().data) == sent[:2]
    counted = select(count="exact").limit(2).execute()
    assert (counted.count, ids(counted.data)) == (5, sent[:2])
    head = select(count="exact", head=True).execute()
    assert head.count == 5 and not head.data
    path = f"/rest/v1/messages?select=id&conversation_id=eq.{crew}&order=created_at"
    part = ada.raw(
        "GET", path, headers={"Range": "0-1", "Range-Unit": "items", "Prefer": "count=exact"}
    )
    assert (part.status_code, part.headers["content-range"]) == (206, "0-1/5")
    assert ids(part.json()) == sent[:2]
    assert ada.refused(select(count="exact").range(100, 109)) == ("PGRST103", 416)
    assert ada.last.headers["content-range"] == "*/5"
    assert select().range(100, 109).execute().data == []


WORDS = [
    "hello there", "a, b", 'say "hi"', "(round)", "1+1=2", "100% sure", "🙂 fine", "back\\slash", "it's", "x.y:z",
]  # fmt: skip


def test_step_033_filters_find_what_they_should(ada, crew):
    rows = {row["body"]: row["id"] for row in ada.send_all(crew, *WORDS)}
    gone = ada.send(crew, "gone")
    ada.table("messages").update({"deleted_at": "now"}).eq("id", gone["id"]).execute()

    def found(narrow):
        query = narrow(ada.table("messages").select("id").eq("conversation_id", crew))
        return set(ids(query.execute().data))

    alive, hello = set(rows.values()), rows["hello there"]
    first, last = (
        ada.table("messages").select("*").eq("id", rows[body]).single().execute().data for body in (WORDS[0], WORDS[-1])
    )
    assert found(lambda query: query.in_("id", [hello, rows["it's"]])) == {hello, rows["it's"]}
    assert found(lambda query: query.in_("id", [])) == set()
    assert found(lambda query: query.is_("deleted_at", "null")) == alive
    assert found(lambda query: query.not_.is_("deleted_at", "null")) == {gone["id"]}
    assert found(lambda query: query.neq("body", "hello there")) == alive - {hello} | {gone["id"]}
    assert found(lambda query: query.gte("created_at", first["created_at"])) == alive | {gone["id"]}
    assert found(lambda query: query.lte("created_at", last["created_at"])) == alive
    assert found(lambda query: query.like("body", "hel%")) == {hello}
    assert found(lambda query: query.ilike("body", "%HEL%")) == {hello}
    search = {"type": "plain", "config": "simple"}
    assert found(lambda query: query.text_search("body", "hello", search)) == {hello}
    for body, one in rows.items():
        quoted = body.replace("\\", "\\\\").replace('"', '\\"')
        assert found(lambda query: query.eq("body", body)) == {one}, body
        assert found(lambda query: query.filter("body", "in", f'("{quoted}")')) == {one}, body
        assert found(lambda query: query.or_(f'body.eq."{quoted}",created_at.gt.{FAR_FUTURE}')) == {one}, body
    for body in ("a, b", "(round)", "x.y:z", "1+1=2", "100% sure", "🙂 fine"):
        assert found(lambda query: query.in_("body", [body, "none such"])) == {rows[body]}, body


def test_step_034_one_row_or_none(ada, crew):
    nothing = ada.table("messages").select("*").eq("conversation_id", crew)
    assert ada.refused(nothing.single()) == ("PGRST116", 406)
    nothing = ada.table("messages").select("*").eq("conversation_id", crew)
    assert nothing.maybe_single().execute() is None
    ada.send_all(crew, "one", "two")
    many = ada.raw(
        "GET", f"/rest/v1/messages?conversation_id=eq.{crew}",
        headers={"Accept": "application/vnd.pgrst.object+json"},
    )  # fmt: skip
    assert (many.status_code, many.json()["code"]) == (406, "PGRST116")
    assert "2 rows" in many.json()["details"]


def test_step_035_embedded_rows(ada, bo, crew):
    message = ada.send(crew, "hello")["id"]
    for symbol in ("👍", "heart.fill"):
        bo.rpc("set_reaction", message_id=message, symbol=symbol, on=True)
    columns = "id,body,sender:profiles!messages_sender_id_fkey(username,display_name),reactions(user_id,symbol)"
    row = bo.table("messages").select(columns).eq("id", message).single().execute().data
    assert row["sender"].keys() == {"username", "display_name"} and row["sender"]["username"] == "ada"
    assert {(one["user_id"], one["symbol"]) for one in row["reactions"]} == {(bo.id, "👍"), (bo.id, "heart.fill")}
    assert row.keys() == {"id", "body", "sender", "reactions"}


def test_step_038_an_outsider_reads_nothing(ada, bo, xi, crew):
    message = ada.send(crew, "among us")["id"]
    bo.rpc("set_reaction", message_id=message, symbol="👍", on=True)
    for table in ("messages", "conversations", "conversation_members", "reactions"):
        assert ada.table(table).select("*").execute().data != [], table
        assert xi.table(table).select("*").execute().data == [], table


def test_step_044_names_and_words_that_do_not_exist(ada):
    code, status = ada.refused(ada.table("nosuch").select("*"))
    assert code in ("PGRST205", "42P01") and status == 404
    assert ada.refused(ada.table("messages").select("nosuch")) == ("42703", 400)
    assert ada.refused_rpc("nosuch", query="x") == ("PGRST202", 404)
    bad = ada.raw("GET", "/rest/v1/messages?id=equals.1")
    assert (bad.status_code, bad.json()["code"]) == (400, "PGRST100")
    json = {"Content-Type": "application/json"}
    bad = ada.raw("POST", "/rest/v1/messages", headers=json, content=b"{nope")
    assert (bad.status_code, bad.json()["code"]) == (400, "PGRST102")
    assert bad.json().keys() == {"code", "message", "details", "hint"}


def test_step_045_tokens_out_of_their_time(server, ada):
    def read(token):
        answer = ada.raw("GET", "/rest/v1/profiles", token=token)
        assert answer.headers["www-authenticate"].startswith('Bearer error="invalid_token"')
        return answer.status_code, answer.json()

    # Within half a minute the clocks may differ.
    assert ada.raw("GET", "/rest/v1/profiles", token=expiring(server, ada.token, -10)).status_code == 200
    status, body = read(expiring(server, ada.token, -60))
    assert status == 401 and body["code"] in ("PGRST303", "PGRST301") and body["message"] == "JWT expired"
    status, body = read(altered(ada.token))
    assert (status, body["code"]) == (401, "PGRST301")
