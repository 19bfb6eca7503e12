"""Messages: who reads, sends, edits and deletes them, and how large they may be."""

from actions import (
    SOMETHING,
    call,
    delete,
    ignored,
    insert,
    merged,
    person,
    read,
    refused,
    rows,
    scenario,
    update,
    value,
)

nobody, ana, ben, cy, dan, eve, xi = map(person, ("nobody", "ana", "ben", "cy", "dan", "eve", "xi"))

EMPTY = {
    "body": "", "image_path": None, "attachment_name": None, "attachment_mime": None, "attachment_size": None,
    "attachment_width": None, "attachment_height": None,
}  # fmt: skip


def message(place="{trip}", id="{new1}", **columns):
    return insert("messages", **{"id": id, "conversation_id": place, "body": "hi"} | columns)


def resent(**columns):
    return ignored("messages", **{"id": "{new1}", "conversation_id": "{trip}", "body": "hi"} | columns)


def file(path="{trip}/{new1}/cat.png", **columns):
    return message(body="", image_path=path, **columns)


def change(which, **columns):
    return update("messages", {"id": which}, **columns)


READING = [
    scenario(
        "a member reads the messages",
        cy(read("messages", conversation_id="{trip}"), rows({"id": "{m1}"}, {"id": "{m2}"})),
    ),
    scenario(
        "an outsider reads no message",
        xi(read("messages", conversation_id="{trip}"), rows()),
        xi(read("messages", id="{m1}"), rows()),
    ),
    scenario("who left reads no message", dan(read("messages", conversation_id="{trip}"), rows())),
    scenario("nobody reads messages without signing in", nobody(read("messages"), refused("42501"))),
    scenario(
        "who is in no conversation reads no message at all",
        eve(read("messages"), rows()),
        eve(read("reactions"), rows()),
    ),
]

SENDING = [
    scenario(
        "a member sends a message in their own name",
        ben(
            message(),
            rows(
                {
                    "id": "{new1}",
                    "sender_id": "{ben}",
                    "body": "hi",
                    "edited_at": None,
                    "deleted_at": None,
                    "created_at": SOMETHING,
                }
            ),
        ),
        ana(read("messages", id="{new1}"), rows({"body": "hi"})),
    ),
    scenario("a forged sender is refused", ben(message(sender_id="{ana}"), refused("42501"))),
    scenario("a message of nobody is refused", ben(message(sender_id=None), refused("42501"))),
    scenario("an outsider sends nothing", xi(message(), refused("42501"))),
    scenario("who left sends nothing", dan(message(), refused("42501"))),
    scenario("nobody sends without signing in", nobody(message(), refused("42501"))),
    scenario("nothing is sent into a conversation that is not there", ana(message("{new2}"), refused("42501"))),
    scenario(
        "a message sent twice is one",
        ben(resent(), rows({"id": "{new1}"})),
        ben(resent(body="again"), rows()),
        ben(message(), refused("23505")),
        ben(read("messages", id="{new1}"), rows({"body": "hi"})),
    ),
    scenario("an id of another's message is refused, not passed over", ben(resent(id="{m1}"), refused("42501"))),
    scenario("an id of a message one cannot see is refused, too", ben(resent(id="{secret}"), refused("42501"))),
    scenario(
        "who left cannot send again what was sent",
        ben(resent(), rows({})),
        ben(call("leave_conversation", p_conversation_id="{trip}"), value(None)),
        ben(resent(), refused("42501")),
    ),
    scenario(
        "a message is not merged over the one there is",
        ben(merged("messages", "id", id="{m2}", conversation_id="{trip}", body="x"), refused("42501")),
    ),
    scenario(
        "the times of a message are the server's",
        ben(
            message(
                created_at="2001-01-01T00:00:00Z", edited_at="2001-01-01T00:00:00Z", deleted_at="2001-01-01T00:00:00Z"
            ),
            rows({"edited_at": None, "deleted_at": None, "body": "hi"}),
        ),
        ben(read("messages", id="{new1}", created_at="2001-01-01T00:00:00Z"), rows()),
    ),
    scenario("a message's id is a UUID", ben(message(id="nope"), refused("22P02"))),
    scenario(
        "an id in capitals is the same id",
        ben(
            message(id="0F{new1:.6}-0000-4000-8000-00000000000A"),
            rows({"id": "0f{new1:.6}-0000-4000-8000-00000000000a"}),
        ),
    ),
]

LIMITS = [
    scenario("an empty message is refused", ben(message(body=""), refused("23514"))),
    scenario("a message without a text is refused", ben(message(body=None), refused("23502"))),
    scenario("8 000 characters are sent", ben(message(body="👍" * 8000), rows({"body": "👍" * 8000}))),
    scenario("8 001 characters are refused", ben(message(body="x" * 8001), refused("23514"))),
    scenario(
        "a reply answers a message of the conversation", ben(message(reply_to="{m1}"), rows({"reply_to": "{m1}"}))
    ),
    scenario("a reply to another conversation is refused", ben(message(reply_to="{secret}"), refused("23503"))),
    scenario("a reply to nothing is refused", ben(message(reply_to="{new2}"), refused("23503"))),
    scenario(
        "a file needs no text",
        ben(
            file(
                attachment_name="cat.png",
                attachment_mime="image/png",
                attachment_size=52428800,
                attachment_width=1,
                attachment_height=1,
            ),
            rows({"image_path": "{trip}/{new1}/cat.png", "attachment_size": 52428800}),
        ),
    ),
    scenario("a file of another conversation is refused", ben(file("{den}/{new1}/cat.png"), refused("23514"))),
    scenario(
        "a path that only begins like the conversation is refused",
        ben(file("{trip}x/{new1}/cat.png"), refused("23514")),
    ),
    scenario("a path with a slash in front is refused", ben(file("/{trip}/{new1}/cat.png"), refused("23514"))),
    scenario("an empty path is refused", ben(file(""), refused("23514"))),
    scenario("a path has 512 characters at most", ben(file("{trip}/" + "x" * 476), refused("23514"))),
    scenario("512 characters are enough of a path", ben(file("{trip}/" + "x" * 475), rows({}))),
    scenario("a name without a file is refused", ben(message(attachment_name="cat.png"), refused("23514"))),
    scenario("a size without a file is refused", ben(message(attachment_size=1), refused("23514"))),
    scenario("a negative size is refused", ben(file(attachment_size=-1), refused("23514"))),
    scenario("an empty file is a file", ben(file(attachment_size=0), rows({}))),
    scenario("a picture without width is refused", ben(file(attachment_width=0), refused("23514"))),
    scenario("a picture without height is refused", ben(file(attachment_height=0), refused("23514"))),
    scenario("a file's name has 255 characters at most", ben(file(attachment_name="ü" * 256), refused("23514"))),
    scenario("a file's kind has 127 characters at most", ben(file(attachment_mime="x" * 128), refused("23514"))),
]

EDITING = [
    scenario(
        "a sender edits a message",
        ben(change("{m2}", body="no"), rows({"body": "no", "edited_at": SOMETHING, "sender_id": "{ben}"})),
    ),
    scenario("the same text is no edit", ben(change("{m2}", body="friday is fine"), rows({"edited_at": None}))),
    scenario(
        "nobody edits another's message",
        ben(change("{m1}", body="no"), rows()),
        ana(read("messages", id="{m1}"), rows({"edited_at": None})),
    ),
    scenario("the owner does not edit others' messages either", ana(change("{m2}", body="no"), rows())),
    scenario("an outsider edits nothing", xi(change("{m1}", body="no"), rows())),
    scenario(
        "who left edits nothing",
        ben(call("leave_conversation", p_conversation_id="{trip}"), value(None)),
        ben(change("{m2}", body="no"), rows()),
    ),
    scenario("nobody edits without signing in", nobody(change("{m1}", body="no"), refused("42501"))),
    scenario("an edit leaves a text", ben(change("{m2}", body=""), refused("23514"))),
    scenario("an edit keeps to 8 000 characters", ben(change("{m2}", body="x" * 8001), refused("23514"))),
    *(
        scenario(f"an edit does not touch {column}", ben(change("{m2}", **{column: text}), refused("42501")))
        for column, text in {
            "id": "{new1}",
            "sender_id": "{ana}",
            "conversation_id": "{den}",
            "image_path": "{trip}/a/b",
            "reply_to": "{m1}",
            "created_at": "now",
            "updated_at": "now",
            "edited_at": None,
        }.items()
    ),
    scenario(
        "a deletion takes the text with it and leaves the row",
        ben(change("{m2}", deleted_at="2001-01-01T00:00:00Z"), rows(EMPTY | {"deleted_at": SOMETHING})),
        ben(read("messages", id="{m2}", deleted_at="2001-01-01T00:00:00Z"), rows()),
        ana(read("messages", id="{m2}"), rows(EMPTY | {"sender_id": "{ben}"})),
    ),
    scenario(
        "a deletion takes the file with it",
        ben(file(attachment_name="cat.png"), rows({})),
        ben(change("{new1}", deleted_at="now"), rows(EMPTY)),
    ),
    scenario(
        "a deleted message is not edited",
        ben(change("{m2}", deleted_at="now"), rows({})),
        ben(change("{m2}", body="back"), refused("42501")),
    ),
    scenario(
        "a deleted message does not come back",
        ben(change("{m2}", deleted_at="now"), rows({})),
        ben(change("{m2}", deleted_at=None), refused("42501")),
    ),
    scenario(
        "a message is deleted twice without harm",
        ben(change("{m2}", deleted_at="now"), rows({})),
        ben(change("{m2}", deleted_at="now"), rows(EMPTY)),
    ),
    scenario(
        "nobody deletes another's message",
        ana(change("{m2}", deleted_at="now"), rows()),
        ana(read("messages", id="{m2}"), rows({"deleted_at": None})),
    ),
    scenario("no row is deleted, not even one's own", ben(delete("messages", id="{m2}"), refused("42501"))),
]

SCENARIOS = READING + SENDING + LIMITS + EDITING
