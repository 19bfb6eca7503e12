"""The page of what waits, over a server that is away: what is dropped there is never sent, and the rest once."""

from client import BANNER, SENT, WAITING
from test_talk import meet


def test_what_is_tagged_in_the_outbox_is_dropped_and_the_rest_is_sent_once(client_of, server):
    ana, ben = meet(client_of, server)
    ana.send("before")
    ana.wait_mark("before", SENT)
    server.kill()
    ana.wait_banner()
    texts = ["the first waits", "the second is dropped", "the third is dropped"]
    for text in texts:
        ana.send(text)
        ana.wait_mark(text, WAITING)

    terminal = ana.terminal
    terminal.key("M-o")
    terminal.wait_text("Outbox · 3 waiting")
    terminal.key("j", "Space", "Space")
    terminal.wait_text("3 waiting · 2 tagged")
    terminal.key("x")
    terminal.wait_text("Drop the 2 that are tagged")
    terminal.key("Right", "Enter")
    terminal.wait_text(r"Outbox · 1 waiting ─")
    terminal.key("Esc")
    terminal.wait_gone("Outbox ·")
    assert [ana.thread.count(text) for text in texts] == [1, 0, 0]

    server.start()
    terminal.key("M-r")
    terminal.wait_gone(BANNER, seconds=45)
    ana.wait_mark(texts[0], SENT, seconds=45)
    conversation = ben.conversations()[0]["id"]
    assert ben.bodies(conversation) == ["before", texts[0]]


def test_delete_all_takes_a_message_from_everybody(client_of, server):
    ana, ben = meet(client_of, server)
    ana.send("said too much")
    ana.wait_mark("said too much", SENT)
    ana.command("delete all")
    ana.terminal.wait_text("It goes for everybody in the conversation")
    ana.terminal.key("Right", "Enter")
    ana.terminal.wait_gone("said too much")
    conversation = ben.conversations()[0]["id"]
    ana.terminal.wait(lambda: ben.bodies(conversation) == [""], "a blank row at the server")
