-- What every Supabase project has before Pingline's schema comes, as far as the schema can notice.
--
-- As there, `postgres` is no superuser: it owns the database, passes by row level security, may use what the services
-- own, and makes policies on their tables. (There an extension lets it; here it is a member of the owner.)

create role postgres login createrole createdb bypassrls;
create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
create role services nologin;
grant anon, authenticated, service_role, services to postgres;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;
do $$ begin execute format('grant create on database %I to postgres, services', current_database()); end $$;
alter schema public owner to postgres;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;

set role services;

create schema auth;
create table auth.users (
  id uuid primary key,
  email text unique,
  raw_user_meta_data jsonb
);
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
grant usage on schema auth to anon, authenticated, service_role, postgres;
grant all on auth.users to postgres;

create schema storage;
create table storage.buckets (
  id text primary key,
  name text not null unique,
  public boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[]
);
create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner_id text,
  metadata jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  unique (bucket_id, name)
);
create function storage.foldername(name text) returns text[] language sql immutable as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant usage on schema storage to anon, authenticated, service_role, postgres;
grant all on all tables in schema storage to anon, authenticated, service_role, postgres;

create schema realtime;
create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamptz not null default now(),
  inserted_at timestamptz not null default now(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
create table realtime.messages_today partition of realtime.messages default;
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
alter table realtime.messages enable row level security;
grant usage on schema realtime to anon, authenticated, service_role, postgres;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

reset role;
