"""Conversations, who is in them, and what each member sets for themselves."""

from actions import ABSENT, SOMETHING, call, delete, insert, person, read, refused, rows, scenario, update, value

nobody, ana, ben, cy, dan, eve, flo, xi = map(person, ("nobody", "ana", "ben", "cy", "dan", "eve", "flo", "xi"))

TRIP = {"p_conversation_id": "{trip}"}
FUTURE = "2099-01-01T00:00:00+00:00"
END_OF_TIME = "9999-12-31T00:00:00+00:00"


def flags(**changes):
    return call("set_conversation_flags", **TRIP, **{f"p_{name}": value for name, value in changes.items()})


READING = [
    scenario(
        "a member reads the conversation",
        ben(read("conversations", id="{trip}"), rows({"title": "Trip", "is_group": True})),
    ),
    scenario("an outsider does not see the conversation", xi(read("conversations", id="{trip}"), rows())),
    scenario("who left does not see the conversation", dan(read("conversations", id="{trip}"), rows())),
    scenario(
        "nobody sees a conversation without signing in", nobody(read("conversations", id="{trip}"), refused("42501"))
    ),
    scenario(
        "a member sees all members, and that one left",
        ben(
            read("conversation_members", conversation_id="{trip}"),
            rows(
                {"user_id": "{ana}", "role": "owner", "left_at": None},
                {"user_id": "{ben}", "role": "member"},
                {"user_id": "{cy}", "joined_at": SOMETHING},
                {"user_id": "{dan}", "left_at": SOMETHING},
            ),
        ),
    ),
    scenario("an outsider sees no member", xi(read("conversation_members", conversation_id="{trip}"), rows())),
    scenario(
        "who left sees their own end and no other",
        dan(read("conversation_members", conversation_id="{trip}"), rows({"user_id": "{dan}"})),
    ),
    scenario("nobody sees members without signing in", nobody(read("conversation_members"), refused("42501"))),
]

CHANGING = [
    scenario(
        "the owner names the group",
        ana(update("conversations", {"id": "{trip}"}, title="Rome"), rows({"title": "Rome"})),
    ),
    scenario("a member does not name the group", ben(update("conversations", {"id": "{trip}"}, title="Rome"), rows())),
    scenario(
        "an outsider does not name the group", xi(update("conversations", {"id": "{trip}"}, title="Rome"), rows())
    ),
    scenario("a title is not empty", ana(update("conversations", {"id": "{trip}"}, title=""), refused("23514"))),
    scenario(
        "a title has 128 characters at most",
        ana(update("conversations", {"id": "{trip}"}, title="ü" * 129), refused("23514")),
    ),
    scenario(
        "a group does not become a pair",
        ana(update("conversations", {"id": "{trip}"}, is_group=False), refused("42501")),
    ),
    scenario("nobody inserts a conversation", ana(insert("conversations", title="x", is_group=True), refused("42501"))),
    scenario("nobody deletes a conversation", ana(delete("conversations", id="{trip}"), refused("42501"))),
    scenario(
        "nobody inserts a member",
        ana(insert("conversation_members", conversation_id="{trip}", user_id="{xi}"), refused("42501")),
    ),
    scenario(
        "nobody lets themselves in",
        xi(insert("conversation_members", conversation_id="{trip}", user_id="{xi}", role="owner"), refused("42501")),
    ),
    scenario(
        "nobody changes their own role",
        ben(
            update("conversation_members", {"user_id": "{ben}", "conversation_id": "{trip}"}, role="owner"),
            refused("42501"),
        ),
    ),
    scenario(
        "nobody moves a mark by hand",
        ben(
            update("conversation_members", {"user_id": "{ben}", "conversation_id": "{trip}"}, last_read_at="now"),
            refused("42501"),
        ),
    ),
    scenario(
        "nobody deletes a member",
        ana(delete("conversation_members", conversation_id="{trip}", user_id="{ben}"), refused("42501")),
    ),
]

OPENING = [
    scenario(
        "two people have one conversation, whoever opens it",
        eve(
            call("create_conversation", p_member_ids=["{flo}"], p_id="{new1}"),
            value({"id": "{new1}", "is_group": False, "title": None}),
        ),
        flo(call("create_conversation", p_member_ids=["{eve}"], p_id="{new2}"), value({"id": "{new1}"})),
        flo(read("conversation_members", conversation_id="{new1}"), rows({"role": "member"}, {"role": "member"})),
    ),
    scenario(
        "a conversation of two has no manager to name it",
        eve(call("create_conversation", p_member_ids=["{flo}"], p_id="{new1}"), value({"id": "{new1}"})),
        eve(update("conversations", {"id": "{new1}"}, title="Us"), rows()),
        eve(call("add_members", p_conversation_id="{new1}", p_member_ids=["{ana}"]), refused("42501")),
        eve(call("leave_conversation", p_conversation_id="{new1}", p_user_id="{flo}"), refused("42501")),
    ),
    scenario(
        "who left a conversation of two is in it again on opening it",
        eve(call("create_conversation", p_member_ids=["{flo}"], p_id="{new1}"), value({"id": "{new1}"})),
        eve(call("leave_conversation", p_conversation_id="{new1}"), value(None)),
        eve(read("conversations", id="{new1}"), rows()),
        eve(call("create_conversation", p_member_ids=["{flo}"]), value({"id": "{new1}"})),
        eve(read("conversations", id="{new1}"), rows({})),
    ),
    scenario(
        "a group asked for twice by its id is one",
        eve(
            call("create_conversation", p_member_ids=["{flo}"], p_title=" Both ", p_is_group=True, p_id="{new1}"),
            value({"title": "Both"}),
        ),
        eve(
            call("create_conversation", p_member_ids=[], p_title="Other", p_id="{new1}"),
            value({"id": "{new1}", "title": "Both"}),
        ),
        eve(
            read("conversation_members", conversation_id="{new1}"),
            rows({"role": "owner"}, {"user_id": "{flo}", "role": "member"}),
        ),
    ),
    scenario(
        "an id of others' opens nothing",
        xi(call("create_conversation", p_member_ids=[], p_id="{trip}"), refused("42501")),
    ),
    scenario(
        "a group of one is for notes",
        eve(call("create_conversation", p_member_ids=[]), value({"is_group": True, "created_by": "{eve}"})),
    ),
    scenario(
        "oneself is no second person",
        eve(call("create_conversation", p_member_ids=["{eve}", "{eve}"]), value({"is_group": True})),
    ),
    scenario(
        "a pair needs somebody else",
        eve(call("create_conversation", p_member_ids=[], p_is_group=False), refused("22023")),
    ),
    scenario(
        "three are no pair",
        eve(call("create_conversation", p_member_ids=["{flo}", "{ana}"], p_is_group=False), refused("22023")),
    ),
    scenario(
        "somebody unknown is in no conversation",
        eve(call("create_conversation", p_member_ids=["{new1}"]), refused("23503")),
    ),
    scenario("a person's id is a UUID", eve(call("create_conversation", p_member_ids=["ben"]), refused("22P02"))),
    scenario(
        "a long title opens nothing",
        eve(call("create_conversation", p_member_ids=[], p_title="x" * 129), refused("23514")),
    ),
    scenario(
        "nobody opens a conversation without signing in",
        nobody(call("create_conversation", p_member_ids=[]), refused("42501")),
    ),
]

FLAGS = [
    scenario(
        "a member pins, archives and mutes for themselves",
        ben(flags(pinned=True), value({"pinned_at": SOMETHING, "archived_at": None, "muted_until": None})),
        ben(
            flags(archived=True, muted_until=FUTURE),
            value({"pinned_at": SOMETHING, "archived_at": SOMETHING, "muted_until": FUTURE}),
        ),
        ben(flags(pinned=None), value({"user_id": "{ben}", "pinned_at": SOMETHING, "archived_at": SOMETHING})),
        ben(
            flags(pinned=False, archived=False, muted_until="2000-01-01T00:00:00Z"),
            value({"pinned_at": None, "archived_at": None, "muted_until": None}),
        ),
        ben(read("conversation_flags", conversation_id="{trip}"), rows({"user_id": "{ben}", "pinned_at": None})),
    ),
    scenario(
        "another member does not see them",
        ben(flags(pinned=True, archived=True, muted_until=FUTURE), value({"pinned_at": SOMETHING})),
        ben(read("conversation_flags", conversation_id="{trip}"), rows({"user_id": "{ben}", "muted_until": FUTURE})),
        *(who(read("conversation_flags", conversation_id="{trip}"), rows()) for who in (ana, cy, dan, xi)),
        nobody(read("conversation_flags"), refused("42501")),
        ana(
            read("conversation_members", conversation_id="{trip}", user_id="{ben}"),
            rows({"pinned_at": ABSENT, "archived_at": ABSENT, "muted_until": ABSENT}),
        ),
    ),
    scenario(
        "a mute without end is the year 9999", ben(flags(muted_until="infinity"), value({"muted_until": END_OF_TIME}))
    ),
    scenario(
        "setting nothing stores nothing",
        ben(flags(), value({"user_id": "{ben}", "pinned_at": None})),
        ben(read("conversation_flags", conversation_id="{trip}"), rows()),
    ),
    scenario("an outsider sets no flag", xi(flags(pinned=True), refused("42501"))),
    scenario("who left sets no flag", dan(flags(pinned=True), refused("42501"))),
    scenario("nobody sets a flag without signing in", nobody(flags(pinned=True), refused("42501"))),
    scenario(
        "flags are written by their function only",
        ben(flags(pinned=True), value({})),
        ben(update("conversation_flags", {"user_id": "{ben}"}, pinned_at=None), refused("42501")),
        ben(insert("conversation_flags", conversation_id="{trip}", user_id="{ben}"), refused("42501")),
        ben(delete("conversation_flags", user_id="{ben}"), refused("42501")),
    ),
    scenario(
        "flags outlast leaving and coming back",
        ben(flags(pinned=True), value({})),
        ben(call("leave_conversation", **TRIP), value(None)),
        ana(call("add_members", **TRIP, p_member_ids=["{ben}"]), value(1)),
        ben(read("conversation_flags", conversation_id="{trip}"), rows({"pinned_at": SOMETHING})),
    ),
]

SCENARIOS = READING + CHANGING + OPENING + FLAGS
