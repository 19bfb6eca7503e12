"""Trials of messages that came twice or not at all, as they were reported of other programs."""

from client import BANNER, SENT, WAITING
from test_talk import meet

INSERT = r"^POST /rest/v1/messages"
TEXT = b'{"code":"23505","message":"duplicate key value violates unique constraint"}'
EXISTS = (
    b"HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(TEXT) + TEXT
)


def test_t06_already_exists_is_sent_and_another_rule_is_not(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    proxy.swallow_answer(INSERT)
    proxy.answer(INSERT, EXISTS)
    ana.send("only once")
    ana.wait_mark("only once", SENT, seconds=45)
    proxy.wait_used()
    proxy.answer(INSERT, EXISTS)
    ana.send("breaks another rule")
    ana.terminal.wait_text("The server refused this message")
    assert ana.thread.count("breaks another rule") == 1
    assert ben.bodies(ben.conversations()[0]["id"]) == ["only once"]


def test_t13_nothing_on_a_dead_link_is_called_sent_or_lost(client_of, server, proxy):
    ana, ben = meet(client_of, server, f"http://127.0.0.1:{proxy.port}")
    texts = ["w1 into the void", "w2 into the void", "w3 into the void"]
    proxy.silent = True
    for text in texts:
        ana.send(text)
        ana.wait_mark(text, WAITING)
    ana.terminal.wait_text(BANNER, seconds=45)
    conversation = ben.conversations()[0]["id"]
    assert ben.bodies(conversation) == []
    for text in texts:
        ana.wait_mark(text, WAITING)
    ben.send(conversation, "from the other side")
    proxy.heal()
    ana.terminal.wait_text("from the other side", seconds=45)
    for text in texts:
        ana.wait_mark(text, SENT, seconds=45)
    assert ben.bodies(conversation) == ["from the other side", *texts]
    assert [ana.thread.count(text) for text in texts] == [1, 1, 1]
