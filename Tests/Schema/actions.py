"""The language of the scenarios: who does what, and what comes of it. It knows neither SQL nor HTTP."""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Read:
    """Rows of a table whose columns have these values."""

    table: str
    match: dict


@dataclasses.dataclass(frozen=True)
class Insert:
    """A new row. A taken key is an error, unless the row is `ignored` then, or `merged` into the one there is."""

    table: str
    row: dict
    conflict: str | None = None
    key: str = "id"


@dataclasses.dataclass(frozen=True)
class Update:
    """Changes the rows that match, as far as they can be seen and may be changed."""

    table: str
    match: dict
    change: dict


@dataclasses.dataclass(frozen=True)
class Delete:
    table: str
    match: dict


@dataclasses.dataclass(frozen=True)
class Call:
    """A function with its arguments by name."""

    function: str
    arguments: dict


@dataclasses.dataclass(frozen=True)
class SignUp:
    """An account whose user name, shown name and address are these; leads to its profile."""

    email: str
    data: dict


@dataclasses.dataclass(frozen=True)
class Upload:
    """A file put into the bucket of attachments. `owner` is whom it claims to be of, where that can be said at all."""

    path: str
    replaces: bool = False
    owner: str | None = None


@dataclasses.dataclass(frozen=True)
class ListFiles:
    """The names of the files in a folder that the caller sees."""

    folder: str


@dataclasses.dataclass(frozen=True)
class RemoveFile:
    path: str


@dataclasses.dataclass(frozen=True)
class Rows:
    """Exactly so many rows, each with at least these columns, in any order."""

    rows: tuple


@dataclasses.dataclass(frozen=True)
class Value:
    """A row with at least these columns, or a plain value; `None` where there is nothing."""

    value: object


@dataclasses.dataclass(frozen=True)
class Refused:
    """The error's code, which is PostgreSQL's on every target."""

    code: str


@dataclasses.dataclass(frozen=True)
class Kept:
    """A value that the world knows by this name from then on."""

    name: str


class Something:
    """Any value but null."""

    def __eq__(self, other):
        return other is not None

    def __repr__(self):
        return "something"


class Absent:
    """The column is not there at all."""

    def __repr__(self):
        return "absent"


SOMETHING, ABSENT = Something(), Absent()


def read(table, **match):
    return Read(table, match)


def insert(table, **row):
    return Insert(table, row)


def ignored(table, **row):
    return Insert(table, row, "ignored")


def merged(table, key, **row):
    return Insert(table, row, "merged", key)


def update(table, match, **change):
    return Update(table, match, change)


def delete(table, **match):
    return Delete(table, match)


def call(function, **arguments):
    return Call(function, arguments)


def rows(*expected):
    return Rows(expected)


def value(expected):
    return Value(expected)


def refused(code):
    return Refused(code)


def kept(name):
    return Kept(name)


@dataclasses.dataclass(frozen=True)
class Step:
    who: str
    action: object
    expected: object


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A sentence, and the steps that show it. `only` names the one target that can run it."""

    name: str
    steps: tuple
    only: str | None = None


def scenario(name, *steps, only=None):
    return Scenario(name, steps, only)


def person(name):
    """Makes steps of what this person does. `nobody` is a caller who is not signed in."""
    return lambda action, expected: Step(name, action, expected)


def fits(found, expected):
    """Whether what came is what a scenario expects."""
    match expected:
        case Refused():
            return found == expected
        case Kept():
            return found is not None and not isinstance(found, Refused)
        case Value(value=dict() as columns):
            return isinstance(found, dict) and has(found, columns)
        case Value(value=plain):
            return not isinstance(found, Refused) and plain == found
        case Rows(rows=wanted):
            if not isinstance(found, list) or len(found) != len(wanted):
                return False
            return any(all(map(has, order, wanted)) for order in itertools.permutations(found))
    raise TypeError(expected)


def has(row, columns):
    return all(
        (name not in row) if value is ABSENT else name in row and value == row[name] for name, value in columns.items()
    )
