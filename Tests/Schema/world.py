"""What every scenario finds: people, conversations and messages, by the names that scenarios call them."""

import uuid

from actions import Call, Insert, SignUp

# `trip` is Ana's group: Ben and Cy are in it, Dan was. `den` is Xi's, who knows none of them.
SHARED = ("ana", "ben", "cy", "dan", "xi")
# These are made anew for each scenario that names them, with no conversation and nothing changed.
FRESH = ("eve", "flo")
NOBODY = "nobody"


class World(dict):
    """Names and what they stand for. A name that begins with `new` gets an id on first use."""

    def __missing__(self, name):
        if not name.startswith("new"):
            raise KeyError(name)
        self[name] = str(uuid.uuid4())
        return self[name]

    def fill(self, pattern):
        """The same with `{name}` replaced in all texts, however deep."""
        match pattern:
            case str():
                return pattern.format_map(self)
            case dict():
                return {name: self.fill(part) for name, part in pattern.items()}
            case list() | tuple():
                return type(pattern)(self.fill(part) for part in pattern)
        return pattern


def sign_up(target, world, name):
    """An account whose user name nobody else has; its id becomes `name` of the world."""
    world[f"{name}_name"] = f"{name}{uuid.uuid4().hex[:10]}"
    world[f"{name}_NAME"], world[f"{name}_tail"] = world[f"{name}_name"].upper(), world[f"{name}_name"][2:]
    data = {"username": world[f"{name}_name"], "display_name": name.capitalize()}
    world[name] = target.do(None, SignUp(f"{world[f'{name}_name']}@example.test", data))["id"]


def people(target):
    """The world before anything was said."""
    world = World()
    for name in SHARED:
        sign_up(target, world, name)
    return world


def furnish(target, shared, scenario):
    """The world of one scenario."""
    world = World(shared)
    text = repr(scenario)
    for name in FRESH:
        if f"'{name}'" in text or "{" + name in text:
            sign_up(target, world, name)

    def done(who, action):
        found = target.do(world[who], action)
        assert isinstance(found, (dict, list)) or found is None, f"the scene cannot be set: {action} gives {found}"
        return found

    members = [world[name] for name in ("ben", "cy", "dan")]
    arguments = {"p_member_ids": members, "p_title": "Trip", "p_is_group": True}
    world["trip"] = done("ana", Call("create_conversation", arguments))["id"]
    world["den"] = done("xi", Call("create_conversation", {"p_member_ids": [], "p_title": "Den"}))["id"]
    done("dan", Call("leave_conversation", {"p_conversation_id": world["trip"]}))
    said = [
        ("ana", "trip", "m1", "Lunch on Friday?"),
        ("ben", "trip", "m2", "friday is fine"),
        ("xi", "den", "secret", "mine"),
    ]
    for sender, place, name, body in said:
        world[name] = str(uuid.uuid4())
        row = {"id": world[name], "conversation_id": world[place], "body": body}
        done(sender, Insert("messages", row))
    done("ben", Call("set_reaction", {"p_message_id": world["m1"], "p_symbol": "heart"}))
    return world
