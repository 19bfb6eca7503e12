"""Accounts and profiles."""

from actions import (
    SOMETHING,
    SignUp,
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

nobody, ana, ben, eve, flo, xi = map(person, ("nobody", "ana", "ben", "eve", "flo", "xi"))


def account(email, **data):
    return SignUp(email, data)


SCENARIOS = [
    scenario(
        "an account gets a profile with the names it asked for",
        nobody(
            account("{new1}@example.test", username="z{new2:.20}", display_name=" Zoe "),
            value({"display_name": "Zoe", "about": "", "avatar_path": None, "created_at": SOMETHING}),
        ),
    ),
    scenario(
        "a user name is bent until it is one",
        nobody(account("{new1}@example.test", username="__Zoe  Ä{new2:.6}!"), value({"username": "zoe_{new2:.6}"})),
    ),
    scenario(
        "without a user name the address gives one",
        nobody(
            account("Zoe.{new1:.8}+chat@example.test"),
            value({"username": "zoe.{new1:.8}_chat", "display_name": "zoe.{new1:.8}_chat"}),
        ),
    ),
    scenario(
        "a long user name is cut",
        nobody(
            account("{new1}@example.test", username="{new2:.8}" + "x" * 40), value({"username": "{new2:.8}" + "x" * 16})
        ),
    ),
    scenario(
        "a shown name is cut to 64 characters",
        nobody(account("{new1}@example.test", display_name="é" * 70), value({"display_name": "é" * 64})),
    ),
    scenario(
        "another name of the account is shown where there is no shown name",
        nobody(account("{new1}@example.test", display_name=" ", full_name="Zoe Q"), value({"display_name": "Zoe Q"})),
    ),
    scenario("anybody signed in reads a profile", xi(read("profiles", id="{ana}"), rows({"display_name": "Ana"}))),
    scenario("nobody reads profiles without signing in", nobody(read("profiles"), refused("42501"))),
    scenario(
        "a person changes their own profile",
        eve(
            update("profiles", {"id": "{eve}"}, display_name="Eve!", about="hi"),
            rows({"display_name": "Eve!", "about": "hi"}),
        ),
        xi(read("profiles", id="{eve}"), rows({"display_name": "Eve!"})),
    ),
    scenario(
        "nobody changes another's profile",
        xi(update("profiles", {"id": "{eve}"}, about="mine now"), rows()),
        eve(read("profiles", id="{eve}"), rows({"about": ""})),
    ),
    scenario(
        "nobody changes a profile without signing in",
        nobody(update("profiles", {"id": "{ana}"}, about="x"), refused("42501")),
    ),
    scenario(
        "a user name is one person's", eve(update("profiles", {"id": "{eve}"}, username="{ana_name}"), refused("23505"))
    ),
    *(
        scenario(f"“{name}” is no user name", eve(update("profiles", {"id": "{eve}"}, username=name), refused("23514")))
        for name in ("", "ab", "Eve", "e ve", "_eve", "eve.", "évé", "e" * 33)
    ),
    scenario(
        "a user name has up to 32 characters",
        eve(update("profiles", {"id": "{eve}"}, username="{eve:.8}" + "e" * 24), rows({})),
    ),
    scenario("a shown name is not empty", eve(update("profiles", {"id": "{eve}"}, display_name=""), refused("23514"))),
    scenario("a shown name is not null", eve(update("profiles", {"id": "{eve}"}, display_name=None), refused("23502"))),
    scenario(
        "a shown name has 64 characters at most",
        eve(update("profiles", {"id": "{eve}"}, display_name="ü" * 65), refused("23514")),
    ),
    scenario(
        "64 characters are enough of a shown name",
        eve(update("profiles", {"id": "{eve}"}, display_name="👍" * 64), rows({})),
    ),
    scenario(
        "what is said about oneself has 280 characters",
        eve(update("profiles", {"id": "{eve}"}, about="ü" * 281), refused("23514")),
    ),
    scenario(
        "a picture's path has 512 characters",
        eve(update("profiles", {"id": "{eve}"}, avatar_path="a" * 513), refused("23514")),
    ),
    scenario("nobody becomes somebody else", eve(update("profiles", {"id": "{eve}"}, id="{new1}"), refused("42501"))),
    scenario(
        "the time of an account is the server's",
        eve(update("profiles", {"id": "{eve}"}, created_at="now"), refused("42501")),
    ),
    scenario(
        "a second profile is refused",
        eve(insert("profiles", id="{eve}", username="{new1:.8}", display_name="E"), refused("23505")),
    ),
    scenario(
        "a profile there is is passed over",
        eve(ignored("profiles", id="{eve}", username="{new1:.8}", display_name="E"), rows()),
    ),
    scenario(
        "a profile is not merged over the one there is",
        eve(merged("profiles", "id", id="{eve}", username="{new1:.8}", display_name="E"), refused("42501")),
    ),
    scenario(
        "nobody makes another's profile",
        eve(insert("profiles", id="{new1}", username="{new1:.8}", display_name="E"), refused("42501")),
    ),
    scenario("nobody deletes a profile", eve(delete("profiles", id="{eve}"), refused("42501"))),
]
