"""Members coming and going, marks, the list, and search."""

from actions import SOMETHING, call, insert, kept, person, read, refused, rows, scenario, update, value

nobody, ana, ben, cy, dan, eve, flo, xi = map(person, ("nobody", "ana", "ben", "cy", "dan", "eve", "flo", "xi"))

TRIP = {"p_conversation_id": "{trip}"}


def add(*people):
    return call("add_members", **TRIP, p_member_ids=list(people))


def leave(**target):
    return call("leave_conversation", **TRIP, **target)


def member(name):
    return read("conversation_members", conversation_id="{trip}", user_id=name)


MEMBERS = [
    scenario(
        "the owner adds people, and is told how many are new",
        ana(add("{xi}", "{ben}", "{new1}", "{xi}"), value(1)),
        xi(read("messages", conversation_id="{trip}"), rows({}, {})),
        xi(member("{xi}"), rows({"role": "member", "left_at": None})),
    ),
    scenario("who left is added again", ana(add("{dan}"), value(1)), dan(member("{dan}"), rows({"left_at": None}))),
    scenario("nobody new is no error", ana(add(), value(0)), ana(add("{ben}"), value(0))),
    scenario("a member adds nobody", ben(add("{xi}"), refused("42501"))),
    scenario("an outsider adds nobody", xi(add("{xi}"), refused("42501"))),
    scenario("nobody adds people without signing in", nobody(add("{xi}"), refused("42501"))),
    scenario(
        "a member leaves",
        ben(leave(), value(None)),
        ana(member("{ben}"), rows({"left_at": SOMETHING})),
        ben(read("messages", conversation_id="{trip}"), rows()),
    ),
    scenario("leaving twice is refused", ben(leave(), value(None)), ben(leave(), refused("42501"))),
    scenario("an outsider cannot leave", xi(leave(), refused("42501"))),
    scenario("nobody leaves without signing in", nobody(leave(), refused("42501"))),
    scenario(
        "the owner removes a member",
        ana(leave(p_user_id="{ben}"), value(None)),
        ben(read("messages", conversation_id="{trip}"), rows()),
    ),
    scenario("removing somebody who is not in it is no error", ana(leave(p_user_id="{xi}"), value(None))),
    scenario(
        "a member removes nobody",
        ben(leave(p_user_id="{cy}"), refused("42501")),
        cy(member("{cy}"), rows({"left_at": None})),
    ),
    scenario("nobody removes the owner", ben(leave(p_user_id="{ana}"), refused("42501"))),
    scenario(
        "a group whose owner leaves gets another",
        ana(leave(), value(None)),
        ben(read("conversation_members", conversation_id="{trip}", role="owner"), rows({"left_at": None})),
        ana(member("{ana}"), rows({"role": "member", "left_at": SOMETHING})),
    ),
    scenario(
        "who comes back is a member, whatever they were", ana(leave(), value(None)), ana(add("{ana}"), refused("42501"))
    ),
]


def mark(kind, **upto):
    return call(f"mark_{kind}", **TRIP, **upto)


MARKS = [
    scenario(
        "reading marks delivery as well",
        cy(mark("read"), value(SOMETHING)),
        ana(member("{cy}"), rows({"last_read_at": SOMETHING, "last_delivered_at": SOMETHING})),
    ),
    scenario(
        "delivery marks no reading",
        cy(mark("delivered"), value(SOMETHING)),
        ana(member("{cy}"), rows({"last_read_at": None, "last_delivered_at": SOMETHING})),
    ),
    scenario(
        "a mark moves to a message and never back",
        cy(mark("read", p_message_id="{m1}"), kept("first")),
        cy(mark("read", p_message_id="{m2}"), kept("second")),
        ana(read("messages", id="{m1}", created_at="{first}"), rows({})),
        ana(read("messages", id="{m2}", created_at="{second}"), rows({})),
        cy(mark("read", p_message_id="{m1}"), value("{second}")),
        cy(mark("delivered"), value("{second}")),
        ana(member("{cy}"), rows({"last_read_at": "{second}", "last_delivered_at": "{second}"})),
    ),
    scenario(
        "a mark stays where nothing was said",
        eve(call("create_conversation", p_member_ids=[], p_id="{new1}"), value({})),
        eve(call("mark_read", p_conversation_id="{new1}"), value(None)),
    ),
    scenario(
        "a mark at a message of elsewhere is refused", cy(mark("read", p_message_id="{secret}"), refused("PT404"))
    ),
    scenario("a mark at nothing is refused", cy(mark("delivered", p_message_id="{new1}"), refused("PT404"))),
    scenario("an outsider marks nothing", xi(mark("read"), refused("42501")), xi(mark("delivered"), refused("42501"))),
    scenario("who left marks nothing", dan(mark("read"), refused("42501"))),
    scenario("nobody marks without signing in", nobody(mark("read"), refused("42501"))),
    scenario("a mark at no UUID is refused", cy(mark("read", p_message_id="x"), refused("22P02"))),
]

# Eve has nothing but what a scenario gives her.
EVE_JOINS = ana(add("{eve}"), value(1))

LIST = [
    scenario("who is in no conversation has an empty list", eve(call("list_conversations"), rows())),
    scenario("nobody lists conversations without signing in", nobody(call("list_conversations"), refused("42501"))),
    scenario(
        "the list has the last message, the unread and the members",
        EVE_JOINS,
        eve(
            call("list_conversations"),
            rows(
                {
                    "id": "{trip}",
                    "title": "Trip",
                    "is_group": True,
                    "role": "member",
                    "member_count": 4,
                    "peer_id": None,
                    "unread_count": 2,
                    "last_message_id": "{m2}",
                    "last_message_sender_id": "{ben}",
                    "last_message_body": "friday is fine",
                    "last_message_deleted_at": None,
                    "last_message_image_path": None,
                    "last_read_at": None,
                    "others_read_at": None,
                    "pinned_at": None,
                    "archived_at": None,
                    "muted_until": None,
                }
            ),
        ),
    ),
    scenario(
        "the list has one's own flags and no other's",
        EVE_JOINS,
        ben(call("set_conversation_flags", **TRIP, p_archived=True), value({"archived_at": SOMETHING})),
        eve(
            call("set_conversation_flags", **TRIP, p_pinned=True, p_muted_until="infinity"),
            value({"pinned_at": SOMETHING}),
        ),
        eve(
            call("list_conversations"),
            rows({"pinned_at": SOMETHING, "archived_at": None, "muted_until": "9999-12-31T00:00:00+00:00"}),
        ),
    ),
    scenario(
        "what one left is not in the list",
        EVE_JOINS,
        eve(leave(), value(None)),
        eve(call("list_conversations"), rows()),
    ),
    scenario(
        "a conversation of two has the other's names, and how far they read",
        eve(call("create_conversation", p_member_ids=["{flo}"], p_id="{new1}"), value({})),
        eve(insert("messages", id="{new2}", conversation_id="{new1}", body="hi"), rows({})),
        flo(
            call("list_conversations"),
            rows({"peer_id": "{eve}", "peer_username": "{eve_name}", "peer_display_name": "Eve", "unread_count": 1}),
        ),
        flo(call("mark_read", p_conversation_id="{new1}"), value(SOMETHING)),
        eve(
            call("list_conversations"),
            rows({"peer_id": "{flo}", "title": None, "others_read_at": SOMETHING, "unread_count": 0}),
        ),
    ),
    scenario(
        "a deleted message is not unread",
        EVE_JOINS,
        ben(update("messages", {"id": "{m2}"}, deleted_at="now"), rows({})),
        eve(
            call("list_conversations"),
            rows({"unread_count": 1, "last_message_body": "", "last_message_deleted_at": SOMETHING}),
        ),
    ),
    scenario(
        "a list has at least one row if there is one", EVE_JOINS, eve(call("list_conversations", p_limit=0), rows({}))
    ),
    scenario(
        "nothing is listed before the beginning",
        EVE_JOINS,
        eve(call("list_conversations", p_before="2001-01-01T00:00:00Z"), rows()),
    ),
]


def search(query, **arguments):
    return call("search_messages", p_query=query, **arguments)


SEARCH = [
    scenario(
        "a search finds words in one's own conversations",
        EVE_JOINS,
        eve(search("friday"), rows({"id": "{m1}"}, {"id": "{m2}"})),
        eve(search("FRI"), rows({}, {})),
        eve(search("lunch -fine"), rows({"id": "{m1}"})),
        eve(search('"is fine"'), rows({"id": "{m2}"})),
        eve(search("lunch or fine"), rows({}, {})),
        eve(search("mine"), rows()),
        eve(search(""), rows()),
    ),
    scenario("an outsider finds nothing", eve(search("friday"), rows()), eve(search("friday", **TRIP), rows())),
    scenario("who left finds nothing", dan(search("friday", **TRIP), rows())),
    scenario("a search stays in its conversation", EVE_JOINS, eve(search("friday", p_conversation_id="{den}"), rows())),
    scenario(
        "a deleted message is not found",
        EVE_JOINS,
        ben(update("messages", {"id": "{m2}"}, deleted_at="now"), rows({})),
        eve(search("fine"), rows()),
    ),
    scenario(
        "an edited message is found by its new words",
        EVE_JOINS,
        ben(update("messages", {"id": "{m2}"}, body="monday"), rows({})),
        eve(search("monday"), rows({})),
        eve(search("fine"), rows()),
    ),
    scenario(
        "nobody searches without signing in",
        nobody(search("friday"), refused("42501")),
        nobody(call("search_profiles", p_query="ana"), refused("42501")),
    ),
    scenario(
        "people are found by the beginning of their user name",
        xi(call("search_profiles", p_query=" {ana_name:.9} "), rows({"id": "{ana}"})),
    ),
    scenario(
        "capitals do not matter for a user name",
        xi(call("search_profiles", p_query="{ana_NAME}"), rows({"id": "{ana}"})),
    ),
    scenario("the middle of a user name finds nobody", xi(call("search_profiles", p_query="{ana_tail}"), rows())),
    scenario(
        "people are found by a part of their shown name",
        eve(update("profiles", {"id": "{eve}"}, display_name="Éve {new1:.8} Ä"), rows({})),
        xi(call("search_profiles", p_query="ve {new1:.8}"), rows({"id": "{eve}"})),
        xi(call("search_profiles", p_query="%{new1:.8}"), rows()),
    ),
    scenario("one letter finds nobody", xi(call("search_profiles", p_query="a"), rows())),
]

SCENARIOS = MEMBERS + MARKS + LIST + SEARCH
