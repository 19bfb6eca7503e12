"""Scenarios on PostgreSQL: each step is the statement that PostgREST makes of the request, run as the caller's role."""

import contextlib
import json
import pathlib
import uuid

import psycopg
from psycopg import sql

from actions import Call, Delete, Insert, ListFiles, Read, Refused, RemoveFile, SignUp, Update, Upload

SETS = {"list_conversations", "search_messages", "search_profiles"}
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "Docs/supabase/schema.sql"
PROJECT = pathlib.Path(__file__).with_name("project.sql")


def make_project(cluster):
    """The template of databases that are as empty as a new Supabase project."""
    with cluster.connect() as admin:
        admin.execute("create database project")
    with cluster.connect("project") as admin:
        admin.execute(PROJECT.read_text())
        admin.execute("alter database project owner to postgres")


def make_database(cluster, name):
    """A new empty project; the role that sets projects up is connected to it."""
    with cluster.connect() as admin:
        admin.execute(sql.SQL("create database {} template project owner postgres").format(sql.Identifier(name)))
    return cluster.connect(name, "postgres")


def apply_schema(connection):
    """Runs the schema as the SQL editor does."""
    connection.execute(SCHEMA.read_text())


class Postgres:
    """Callers are user ids; `None` is nobody."""

    name = "postgres"

    def __init__(self, connection):
        self.connection = connection

    @contextlib.contextmanager
    def undone(self):
        """Nothing that happens inside remains."""
        with self.connection.transaction(force_rollback=True):
            yield

    def do(self, caller, action):
        """What the caller gets: rows, a value, or a refusal."""
        try:
            with self.connection.transaction():
                if not isinstance(action, SignUp):
                    self._become(caller)
                found = self._run(caller, action)
                self.connection.execute("reset role")
                return found
        except psycopg.Error as error:
            return Refused(error.diag.sqlstate)

    def _become(self, caller):
        claims = {"role": "authenticated", "sub": caller} if caller else {"role": "anon"}
        self.connection.execute("select set_config('request.jwt.claims', %s, true)", [json.dumps(claims)])
        self.connection.execute("set local role authenticated" if caller else "set local role anon")

    def _run(self, caller, action):
        match action:
            case Read(table, match):
                return self._rows(sql.SQL("select * from {}").format(name(table)) + where(match))
            case Insert():
                return self._rows(insertion(action), True)
            case Update(table, match, change):
                target, columns, source = name(table), list(change), record(table, change)
                settings = comma(sql.SQL("{0} = given.{0}").format(sql.Identifier(column)) for column in columns)
                statement = sql.SQL("update {} set {} from {} as given").format(target, settings, source)
                return self._written(statement + where(match, table), target)
            case Delete(table, match):
                return self._written(sql.SQL("delete from {}").format(name(table)) + where(match), name(table))
            case Call(function, arguments):
                return self._call(function, arguments)
            case SignUp(email, data):
                values = [str(uuid.uuid4()), email, json.dumps(data)]
                self.connection.execute(
                    "insert into auth.users (id, email, raw_user_meta_data) values (%s, %s, %s)", values
                )
                return self._rows(sql.SQL("select * from public.profiles") + where({"id": values[0]}))[0]
            case Upload(path):
                return self._rows(insertion_of_file(path, action.owner or caller, action.replaces), True)[0]
            case ListFiles(folder):
                query = "select substr(name, {}) as name from storage.objects where starts_with(name, {})"
                return self._rows(sql.SQL(query).format(len(folder) + 2, folder + "/"))
            case RemoveFile(path):
                return self._rows(
                    sql.SQL("delete from storage.objects where name = {} returning name").format(path), True
                )
        raise TypeError(action)

    def _call(self, function, arguments):
        given = comma(
            sql.SQL("{} => {}").format(sql.Identifier(name), literal(value)) for name, value in arguments.items()
        )
        call = sql.SQL("{}({})").format(name(function), given)
        if function in SETS:
            return self._rows(sql.SQL("select * from ") + call)
        found = self.connection.execute(sql.SQL("select to_json(f) from {} as f").format(call)).fetchone()[0]
        # Nothing, where a row was promised, is a row of nulls.
        return None if found == "" or isinstance(found, dict) and not any(found.values()) else found

    def _written(self, statement, target):
        return self._rows(statement + sql.SQL(" returning {}.*").format(target), True)

    def _rows(self, query, is_write=False):
        text = (
            "with f as ({}) select coalesce(json_agg(f), '[]') from f"
            if is_write
            else "select coalesce(json_agg(f), '[]') from ({}) f"
        )
        return self.connection.execute(sql.SQL(text).format(query)).fetchone()[0]


def name(text):
    return sql.Identifier("public", text)


def comma(parts):
    return sql.SQL(", ").join(list(parts))


def record(table, values):
    """One row of the table's type, its values read as PostgREST reads them from JSON."""
    return sql.SQL("json_populate_record(null::{}, {})").format(name(table), sql.Literal(json.dumps(values)))


def where(match, table=None):
    """Conditions on columns; of the table, where another could be meant."""
    if not match:
        return sql.SQL("")
    parts = []
    for column, value in match.items():
        place = sql.Identifier(table, column) if table else sql.Identifier(column)
        parts.append(sql.SQL("{} is null").format(place) if value is None else sql.SQL("{} = {}").format(place, value))
    return sql.SQL(" where ") + sql.SQL(" and ").join(parts)


def literal(value):
    if isinstance(value, list):
        return sql.SQL("{}::uuid[]").format("{" + ",".join(value) + "}")
    return sql.Literal(value)


def insertion(action):
    """With what makes it visible again: RETURNING asks the policy of reading too."""
    columns = comma(map(sql.Identifier, action.row))
    statement = sql.SQL("insert into {} ({}) select {} from {} as given").format(
        name(action.table), columns, columns, record(action.table, action.row)
    )
    key = sql.SQL(" on conflict ({}) ").format(comma(map(sql.Identifier, action.key.split(","))))
    if action.conflict == "ignored":
        statement += key + sql.SQL("do nothing")
    elif action.conflict == "merged":
        settings = comma(sql.SQL("{0} = excluded.{0}").format(sql.Identifier(column)) for column in action.row)
        statement += key + sql.SQL("do update set ") + settings
    statement += sql.SQL(" returning *")
    return statement


def insertion_of_file(path, owner, replaces):
    """What the storage service writes for an upload: it fills the owner in from the token."""
    statement = sql.SQL(
        "insert into storage.objects (bucket_id, name, owner_id) values ('attachments', {}, {})"
    ).format(path, owner)
    if replaces:
        statement += sql.SQL(
            " on conflict (bucket_id, name) do update set updated_at = now(), owner_id = excluded.owner_id"
        )
    return statement + sql.SQL(" returning name")
