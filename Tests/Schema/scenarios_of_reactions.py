"""Reactions."""

from actions import SOMETHING, call, delete, insert, merged, person, read, refused, rows, scenario, update, value

nobody, ana, ben, cy, dan, xi = map(person, ("nobody", "ana", "ben", "cy", "dan", "xi"))


def react(on=True, symbol="heart", message="{m1}"):
    return call("set_reaction", p_message_id=message, p_symbol=symbol, p_on=on)


HEART = {"message_id": "{m1}", "symbol": "heart"}

SCENARIOS = [
    scenario(
        "a member sees reactions",
        cy(
            read("reactions", message_id="{m1}"),
            rows({"user_id": "{ben}", "symbol": "heart", "conversation_id": "{trip}"}),
        ),
    ),
    scenario("an outsider sees no reaction", xi(read("reactions", message_id="{m1}"), rows())),
    scenario("who left sees no reaction", dan(read("reactions", message_id="{m1}"), rows())),
    scenario("nobody sees reactions without signing in", nobody(read("reactions"), refused("42501"))),
    scenario(
        "a reaction is one row however often",
        cy(react(False), value(None)),
        cy(react(), value({"user_id": "{cy}", "removed_at": None})),
        cy(react(), value({"removed_at": None})),
        cy(react(False), value({"removed_at": SOMETHING})),
        cy(react(False), value({"removed_at": SOMETHING})),
        cy(read("reactions", message_id="{m1}", user_id="{cy}"), rows({"removed_at": SOMETHING})),
    ),
    scenario(
        "a reaction is written as a row, too",
        cy(insert("reactions", **HEART), rows({"user_id": "{cy}", "conversation_id": "{trip}", "removed_at": None})),
        cy(insert("reactions", **HEART), refused("23505")),
        cy(read("reactions", user_id="{cy}", **HEART), rows({})),
        cy(
            merged("reactions", "message_id,user_id,symbol", user_id="{cy}", removed_at="now", **HEART),
            rows({"removed_at": SOMETHING}),
        ),
        cy(update("reactions", HEART | {"user_id": "{cy}"}, removed_at=None), rows({"removed_at": None})),
    ),
    scenario(
        "a reaction in another's name is refused", cy(insert("reactions", user_id="{ana}", **HEART), refused("42501"))
    ),
    scenario(
        "nobody changes another's reaction",
        ana(update("reactions", HEART | {"user_id": "{ben}"}, removed_at="now"), rows()),
    ),
    scenario(
        "a reaction does not move",
        ben(update("reactions", HEART | {"user_id": "{ben}"}, symbol="smile"), refused("42501")),
    ),
    scenario("no reaction is deleted", ben(delete("reactions", **HEART), refused("42501"))),
    scenario(
        "an outsider does not react", xi(react(), refused("42501")), xi(insert("reactions", **HEART), refused("42501"))
    ),
    scenario("who left does not react", dan(react(), refused("42501"))),
    scenario("nobody reacts without signing in", nobody(react(), refused("42501"))),
    scenario(
        "nobody reacts to nothing",
        ben(react(message="{new1}"), refused("42501")),
        ben(insert("reactions", message_id="{new1}", symbol="x"), refused("42501")),
    ),
    scenario(
        "nobody reacts to a deleted message",
        ben(update("messages", {"id": "{m2}"}, deleted_at="now"), rows({})),
        ana(react(message="{m2}"), refused("42501")),
    ),
    scenario("a reaction has a symbol", ben(react(symbol=""), refused("23514"))),
    scenario("a symbol has 16 characters at most", ben(react(symbol="x" * 17), refused("23514"))),
    scenario("16 characters are enough of a symbol", ben(react(symbol="é" * 16), value({"symbol": "é" * 16}))),
]
