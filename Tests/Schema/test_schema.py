"""The schema itself: applied again, over an earlier version, and what it leaves open to whom."""

import json
import subprocess
import uuid

import psycopg
import pytest

from cluster import ADMIN, programs
from on_postgres import SCHEMA, apply_schema, make_database

OURS = "('public'::regnamespace, 'private'::regnamespace)"
TABLES = {"profiles", "conversations", "conversation_members", "conversation_flags", "messages", "reactions"}
# As conversation_members was before flags had a table of their own.
FLAGS_OF_OLD = """
    alter table public.conversation_members
      add column muted_until timestamptz, add column pinned_at timestamptz, add column archived_at timestamptz;
    drop function public.set_conversation_flags(uuid, boolean, boolean, timestamptz);
    create function public.set_conversation_flags(
      p_conversation_id uuid, p_pinned boolean default null, p_archived boolean default null,
      p_muted_until timestamptz default null) returns public.conversation_members language sql
      as 'select null::public.conversation_members';
    drop table public.conversation_flags;
"""


@pytest.fixture
def project(cluster):
    """An empty project of the test's own."""
    connection = make_database(cluster, f"project_{uuid.uuid4().hex}")
    yield connection
    connection.close()


def dump(cluster, connection):
    """Everything in the database, as lines of text. A privilege that was given anew may come in another order."""
    command = [str(programs() / "pg_dump"), "-h", str(cluster.folder), "-U", ADMIN, connection.info.dbname]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(line for line in text.splitlines() if not line.startswith(("\\restrict", "\\unrestrict")))


def sign_up(connection, name):
    own = str(uuid.uuid4())
    data = json.dumps({"username": name})
    connection.execute("insert into auth.users values (%s, %s, %s)", [own, f"{name}@example.test", data])
    return own


def test_applying_it_again_changes_nothing(cluster, project):
    apply_schema(project)
    sign_up(project, "ana")
    once = dump(cluster, project)
    apply_schema(project)
    assert dump(cluster, project) == once


def test_flags_of_an_earlier_version_are_kept_apart_from_the_membership(project):
    apply_schema(project)
    ana, ben, trip = sign_up(project, "ana"), sign_up(project, "ben"), str(uuid.uuid4())
    project.execute(FLAGS_OF_OLD)
    project.execute("insert into conversations (id, is_group) values (%s, true)", [trip])
    project.execute(
        "insert into conversation_members (conversation_id, user_id, pinned_at)"
        " values (%(c)s, %(a)s, 'epoch'), (%(c)s, %(b)s, null)",
        {"c": trip, "a": ana, "b": ben},
    )
    apply_schema(project)
    flags = project.execute("select user_id::text, pinned_at = 'epoch', archived_at from conversation_flags").fetchall()
    assert flags == [(ana, True, None)]
    assert project.execute("select * from conversation_members").description[-1].name == "last_delivered_at"


def test_accounts_that_are_older_than_the_schema_get_a_profile(project):
    own = sign_up(project, "ana")
    apply_schema(project)
    assert project.execute("select id::text from profiles").fetchall() == [(own,)]


def test_it_needs_neither_storage_nor_realtime(cluster, project):
    with cluster.connect(project.info.dbname) as admin:
        admin.execute("drop schema storage cascade; drop schema realtime cascade; drop publication supabase_realtime")
    apply_schema(project)
    assert project.execute("select count(*) from profiles").fetchone() == (0,)


def test_every_table_is_in_the_feed_and_under_row_level_security(project):
    apply_schema(project)
    feed = project.execute("select tablename from pg_publication_tables where pubname = 'supabase_realtime'")
    assert {name for (name,) in feed} == TABLES
    guarded = project.execute(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity"
    )
    assert {name for (name,) in guarded} == TABLES


def test_whoever_is_not_signed_in_may_use_nothing(project):
    apply_schema(project)
    tables = project.execute(
        "select table_name from information_schema.role_table_grants"
        " where grantee in ('anon', 'PUBLIC') and table_schema = 'public'"
    )
    assert tables.fetchall() == []
    functions = project.execute(
        f"select proname from pg_proc where pronamespace in {OURS} and has_function_privilege('anon', oid, 'execute')"
    )
    assert functions.fetchall() == []


def test_no_function_looks_names_up_where_others_may_put_them(project):
    apply_schema(project)
    loose = project.execute(
        f"select proname from pg_proc where pronamespace in {OURS}"
        " and ('search_path=\"\"' = any (proconfig)) is not true"
    )
    assert loose.fetchall() == []


def test_what_is_printed_is_what_is_applied(binary):
    printed = subprocess.run([binary, "serve", "--print-schema"], check=True, capture_output=True, timeout=20).stdout
    assert printed == SCHEMA.read_bytes()


def test_a_private_channel_of_a_conversation_is_for_its_members(project):
    apply_schema(project)
    ana, ben, trip = sign_up(project, "ana"), sign_up(project, "ben"), str(uuid.uuid4())
    project.execute("insert into conversations (id, is_group) values (%s, true)", [trip])
    project.execute("insert into conversation_members (conversation_id, user_id) values (%s, %s)", [trip, ana])

    def may_write(caller, topic, extension="broadcast"):
        """Whether Realtime lets the caller speak there: it tries an insert of its own and takes it back."""
        with project.transaction(force_rollback=True):
            claims = json.dumps({"role": "authenticated", "sub": caller})
            settings = "select set_config('request.jwt.claims', %s, true), set_config('realtime.topic', %s, true)"
            project.execute(settings, [claims, topic])
            project.execute("set local role authenticated")
            try:
                project.execute("insert into realtime.messages (topic, extension) values (%s, %s)", [topic, extension])
                return project.execute("select count(*) from realtime.messages").fetchone() == (1,)
            except psycopg.errors.InsufficientPrivilege:
                return False

    assert may_write(ana, f"conversation:{trip}")
    assert may_write(ana, f"conversation:{trip}", "presence")
    assert not may_write(ben, f"conversation:{trip}")
    assert not may_write(ana, f"other:{trip}")
    assert not may_write(ana, "conversation:nope")
