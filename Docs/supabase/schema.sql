-- Pingline on a Supabase project, or on any PostgreSQL 15 or newer that has what such a project has.
--
-- Run it as the role `postgres`: paste it into the SQL editor, or `psql -f`. Running it again changes nothing, and
-- brings what an earlier version made up to date. Docs/Supabase.md has the steps around it.
--
-- It needs
--   roles     anon, authenticated, service_role
--   auth      auth.users (id, email, raw_user_meta_data) and auth.uid()
-- and, where they exist, sets up
--   storage   the bucket for attachments, and who may do what in it
--   realtime  private channels, and the publication of the change feed
--
-- What always holds, and what clients build on:
--   * The client chooses a message's id. Sent twice, it is stored once.
--   * created_at and updated_at are the server's, whatever was sent.
--   * Within a conversation both rise strictly, in the order of commits, also when the wall clock goes back. So
--     "everything after T" never passes over a row that is committed later. messages.updated_at moves with insert,
--     edit and deletion, reactions.updated_at with every change of a reaction; conversations.changed_at is the
--     greatest of both.
--   * No user deletes a row. Messages, reactions and memberships end with a time in a column: the change feed tells
--     a DELETE to every subscriber, whatever the policies say.
--   * sender_id and user_id are those of the caller.
--   * What a member sets for themselves (pin, archive, mute) is in a table that nobody else can read.

begin;

-- ---------- Helpers, in a schema that the REST API does not show

create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- For text that a user wrote: NULL where the cast would raise an error.
create or replace function private.try_uuid(p_text text)
returns uuid
language sql
immutable
parallel safe
set search_path = ''
as $$
  select case
    when p_text ~ '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$'
    then p_text::uuid
  end
$$;

-- Who calls. Nobody signed in is an error, told as 401.
create or replace function private.require_uid()
returns uuid
language plpgsql
stable
set search_path = ''
as $$
declare
  v_uid uuid := auth.uid();
begin
  if v_uid is null then
    raise exception 'not signed in' using errcode = '42501';
  end if;
  return v_uid;
end
$$;

-- ---------- profiles

create table if not exists public.profiles (
  id           uuid        not null,
  username     text        not null,
  display_name text        not null,
  about        text        not null default '',
  avatar_path  text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  constraint profiles_pkey primary key (id),
  constraint profiles_id_fkey foreign key (id) references auth.users (id) on delete cascade,
  constraint profiles_username_key unique (username),
  constraint profiles_username_check check (username ~ '^[a-z0-9][a-z0-9_.]{1,30}[a-z0-9]$'),
  constraint profiles_display_name_check check (char_length(display_name) between 1 and 64),
  constraint profiles_about_check check (char_length(about) <= 280),
  constraint profiles_avatar_path_check check (char_length(avatar_path) <= 512)
);

comment on table public.profiles is 'One row per account; readable by every signed-in user, so it holds no e-mail address.';

-- ---------- conversations

create table if not exists public.conversations (
  id              uuid        not null default gen_random_uuid(),
  title           text,
  is_group        boolean     not null default false,
  direct_key      text,
  avatar_path     text,
  created_by      uuid,
  last_message_at timestamptz,
  changed_at      timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  constraint conversations_pkey primary key (id),
  constraint conversations_direct_key_key unique (direct_key),
  constraint conversations_created_by_fkey foreign key (created_by)
    references public.profiles (id) on delete set null,
  constraint conversations_title_check check (char_length(title) between 1 and 128),
  constraint conversations_avatar_path_check check (char_length(avatar_path) <= 512),
  constraint conversations_kind_check check (
    (is_group and direct_key is null) or (not is_group and direct_key is not null and title is null)
  )
);

comment on column public.conversations.direct_key is
  'For a one-to-one conversation: the two user ids, smaller first, joined by a colon. Makes it unique per pair.';
comment on column public.conversations.changed_at is
  'High-water mark of messages.updated_at and reactions.updated_at in this conversation.';

-- ---------- conversation_members

create table if not exists public.conversation_members (
  conversation_id   uuid        not null,
  user_id           uuid        not null,
  role              text        not null default 'member',
  joined_at         timestamptz not null default now(),
  left_at           timestamptz,
  last_read_at      timestamptz,
  last_delivered_at timestamptz,
  constraint conversation_members_pkey primary key (conversation_id, user_id),
  constraint conversation_members_conversation_id_fkey foreign key (conversation_id)
    references public.conversations (id) on delete cascade,
  constraint conversation_members_user_id_fkey foreign key (user_id)
    references public.profiles (id) on delete cascade,
  constraint conversation_members_role_check check (role in ('owner', 'admin', 'member'))
);

create index if not exists conversation_members_user_idx
  on public.conversation_members (user_id, conversation_id) where left_at is null;

-- ---------- conversation_flags

-- Apart from conversation_members, whose rows every member reads: whom I muted is my own business.
create table if not exists public.conversation_flags (
  conversation_id uuid not null,
  user_id         uuid not null,
  muted_until     timestamptz,
  pinned_at       timestamptz,
  archived_at     timestamptz,
  constraint conversation_flags_pkey primary key (conversation_id, user_id),
  constraint conversation_flags_member_fkey foreign key (conversation_id, user_id)
    references public.conversation_members (conversation_id, user_id) on delete cascade
);

comment on table public.conversation_flags is
  'What a member set for themselves; readable by that member only, written by set_conversation_flags(). No row: nothing set.';

-- Earlier versions kept the three columns in conversation_members.
do $$
begin
  if not exists (
       select 1 from pg_attribute
       where attrelid = 'public.conversation_members'::regclass and attname = 'pinned_at' and not attisdropped) then
    return;
  end if;
  execute $q$
    insert into public.conversation_flags (conversation_id, user_id, muted_until, pinned_at, archived_at)
    select m.conversation_id, m.user_id, m.muted_until, m.pinned_at, m.archived_at
    from public.conversation_members m
    where num_nonnulls(m.muted_until, m.pinned_at, m.archived_at) > 0
    on conflict do nothing
  $q$;
  execute $q$
    alter table public.conversation_members
      drop column muted_until, drop column pinned_at, drop column archived_at
  $q$;
end
$$;

-- ---------- Who is in a conversation

-- SECURITY DEFINER: a policy of conversation_members that read conversation_members would call itself.
create or replace function private.is_member(p_conversation_id uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1
    from public.conversation_members m
    where m.conversation_id = p_conversation_id
      and m.user_id = (select auth.uid())
      and m.left_at is null
  )
$$;

create or replace function private.is_manager(p_conversation_id uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id
    where m.conversation_id = p_conversation_id
      and m.user_id = (select auth.uid())
      and m.left_at is null
      and m.role in ('owner', 'admin')
      and c.is_group
  )
$$;

-- ---------- messages

create table if not exists public.messages (
  id                uuid        not null default gen_random_uuid(),
  conversation_id   uuid        not null,
  sender_id         uuid        default auth.uid(),
  body              text        not null default '',
  image_path        text,
  attachment_name   text,
  attachment_mime   text,
  attachment_size   bigint,
  attachment_width  integer,
  attachment_height integer,
  reply_to          uuid,
  edited_at         timestamptz,
  deleted_at        timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint messages_pkey primary key (id),
  constraint messages_id_conversation_key unique (id, conversation_id),
  constraint messages_conversation_id_fkey foreign key (conversation_id)
    references public.conversations (id) on delete cascade,
  constraint messages_sender_id_fkey foreign key (sender_id)
    references public.profiles (id) on delete set null,
  -- A reply answers a message of its own conversation.
  constraint messages_reply_to_fkey foreign key (reply_to, conversation_id)
    references public.messages (id, conversation_id) on delete set null (reply_to),
  constraint messages_body_check check (char_length(body) <= 8000),
  constraint messages_content_check check (
    body <> '' or image_path is not null or deleted_at is not null
  ),
  constraint messages_image_path_check check (
    image_path is null
    or (char_length(image_path) <= 512 and split_part(image_path, '/', 1) = conversation_id::text)
  ),
  constraint messages_attachment_check check (
    (image_path is not null or num_nulls(attachment_name, attachment_mime, attachment_size,
                                         attachment_width, attachment_height) = 5)
    and (attachment_size is null or attachment_size >= 0)
    and (attachment_width is null or attachment_width > 0)
    and (attachment_height is null or attachment_height > 0)
    and (attachment_name is null or char_length(attachment_name) <= 255)
    and (attachment_mime is null or char_length(attachment_mime) <= 127)
  )
);

comment on column public.messages.id is 'Chosen by the client (UUID v4 or v7, lower case); makes sending idempotent.';
comment on column public.messages.image_path is 'Path of the attachment in the bucket `attachments`, an image or any other file.';
comment on column public.messages.created_at is 'Set by the server; strictly increasing inside one conversation in commit order.';
comment on column public.messages.updated_at is 'Set by the server; the catch-up cursor of the conversation.';

-- For a page of history: the newest, or those before a message.
create index if not exists messages_history_idx
  on public.messages (conversation_id, created_at desc, id desc);
-- For catching up: what changed since a time.
create index if not exists messages_sync_idx
  on public.messages (conversation_id, updated_at, id);
create index if not exists messages_reply_to_idx
  on public.messages (reply_to) where reply_to is not null;
create index if not exists messages_sender_idx
  on public.messages (sender_id);
-- For search. An index on an expression: a tsvector column would go out with every `select=*` and every event.
create index if not exists messages_search_idx
  on public.messages using gin (to_tsvector('simple'::regconfig, body)) where deleted_at is null;

-- A long body is stored apart (TOAST), and the feed leaves such a column out of an UPDATE that did not touch it.
-- With the full identity it is in every event.
alter table public.messages replica identity full;

-- ---------- reactions

create table if not exists public.reactions (
  message_id      uuid        not null,
  user_id         uuid        not null default auth.uid(),
  symbol          text        not null,
  conversation_id uuid        not null,
  removed_at      timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  constraint reactions_pkey primary key (message_id, user_id, symbol),
  constraint reactions_message_id_fkey foreign key (message_id, conversation_id)
    references public.messages (id, conversation_id) on delete cascade,
  constraint reactions_user_id_fkey foreign key (user_id)
    references public.profiles (id) on delete cascade,
  constraint reactions_symbol_check check (char_length(symbol) between 1 and 16)
);

comment on column public.reactions.conversation_id is
  'Filled in by the server from the message; lets a client filter realtime events by conversation.';
comment on column public.reactions.removed_at is 'Set when the reaction was taken back; the row stays.';

create index if not exists reactions_sync_idx
  on public.reactions (conversation_id, updated_at);
create index if not exists reactions_user_idx
  on public.reactions (user_id);

-- ---------- The clock of a conversation

-- An instant later than all before it in this conversation. The row stays locked until the transaction ends: that
-- is what makes the order of instants the order of commits.
create or replace function private.next_instant(p_conversation_id uuid)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_last timestamptz;
  v_next timestamptz;
begin
  select c.changed_at into v_last
  from public.conversations c
  where c.id = p_conversation_id
  for no key update;

  -- A statement of many rows moves the conversation after the last of them only, so the setting remembers what it
  -- gave out. A conversation that is not there has no v_last; the foreign key refuses the row later.
  v_next := greatest(
    clock_timestamp(),
    v_last + interval '1 microsecond',
    nullif(current_setting('pingline.last_instant', true), '')::timestamptz + interval '1 microsecond');
  perform set_config('pingline.last_instant', v_next::text, true);
  return v_next;
end
$$;

create or replace function private.messages_before_insert()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := private.next_instant(new.conversation_id);
begin
  -- ON CONFLICT DO NOTHING would answer for another's row as for one's own: stored.
  if exists (
       select 1 from public.messages m
       where m.id = new.id and m.sender_id is distinct from new.sender_id) then
    raise exception 'the id belongs to another message' using errcode = '42501';
  end if;
  new.created_at := v_now;
  new.updated_at := v_now;
  new.edited_at  := null;
  new.deleted_at := null;
  return new;
end
$$;

-- After the insert: one that ON CONFLICT DO NOTHING drops has been through the BEFORE trigger, and must not move the
-- conversation.
create or replace function private.messages_after_insert()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.conversations c
  set last_message_at = greatest(c.last_message_at, new.created_at),
      changed_at      = greatest(c.changed_at, new.updated_at)
  where c.id = new.conversation_id;
  return null;
end
$$;

create or replace function private.messages_before_update()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.id is distinct from old.id
     or new.conversation_id is distinct from old.conversation_id then
    raise exception 'a message cannot be moved' using errcode = '42501';
  end if;
  -- The foreign key writes null when the sender's account is deleted.
  if new.sender_id is distinct from old.sender_id and new.sender_id is not null then
    raise exception 'a message cannot change its sender' using errcode = '42501';
  end if;
  if old.deleted_at is not null and
     (new.body is distinct from old.body or new.image_path is distinct from old.image_path
      or new.deleted_at is null) then
    raise exception 'a deleted message cannot be changed' using errcode = '42501';
  end if;

  new.created_at := old.created_at;
  new.edited_at  := old.edited_at;
  new.updated_at := private.next_instant(new.conversation_id);

  if new.deleted_at is not null and old.deleted_at is null then
    -- A deletion takes the content with it; only that there was a message stays.
    new.deleted_at        := new.updated_at;
    new.body              := '';
    new.image_path        := null;
    new.attachment_name   := null;
    new.attachment_mime   := null;
    new.attachment_size   := null;
    new.attachment_width  := null;
    new.attachment_height := null;
  else
    new.deleted_at := old.deleted_at;
    if new.body is distinct from old.body then
      new.edited_at := new.updated_at;
    end if;
  end if;
  return new;
end
$$;

create or replace function private.messages_after_update()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.conversations c
  set changed_at = greatest(c.changed_at, new.updated_at)
  where c.id = new.conversation_id;
  return null;
end
$$;

create or replace trigger messages_before_insert
  before insert on public.messages
  for each row execute function private.messages_before_insert();
create or replace trigger messages_after_insert
  after insert on public.messages
  for each row execute function private.messages_after_insert();
create or replace trigger messages_before_update
  before update on public.messages
  for each row execute function private.messages_before_update();
create or replace trigger messages_after_update
  after update on public.messages
  for each row execute function private.messages_after_update();

create or replace function private.reactions_before_write()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_conversation uuid;
begin
  if tg_op = 'UPDATE' then
    if new.message_id is distinct from old.message_id
       or new.user_id is distinct from old.user_id
       or new.symbol is distinct from old.symbol then
      raise exception 'a reaction cannot be moved' using errcode = '42501';
    end if;
    v_conversation := old.conversation_id;
    new.created_at := old.created_at;
  else
    -- Null for a message that is not there or was deleted; the policy refuses that row.
    select m.conversation_id into v_conversation
    from public.messages m
    where m.id = new.message_id and m.deleted_at is null;
  end if;

  new.conversation_id := v_conversation;
  new.updated_at := private.next_instant(v_conversation);
  if tg_op = 'INSERT' then
    new.created_at := new.updated_at;
  end if;
  if new.removed_at is not null then
    new.removed_at := new.updated_at;
  end if;
  return new;
end
$$;

create or replace function private.reactions_after_write()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.conversations c
  set changed_at = greatest(c.changed_at, new.updated_at)
  where c.id = new.conversation_id;
  return null;
end
$$;

create or replace trigger reactions_before_write
  before insert or update on public.reactions
  for each row execute function private.reactions_before_write();
create or replace trigger reactions_after_write
  after insert or update on public.reactions
  for each row execute function private.reactions_after_write();

create or replace function private.profiles_before_update()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.id         := old.id;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end
$$;

create or replace trigger profiles_before_update
  before update on public.profiles
  for each row execute function private.profiles_before_update();

-- Every new account gets a profile. An error here would make the sign-up itself fail with 500, so a name that is
-- taken gets a tail, and one that is none is bent into one.
create or replace function private.handle_new_user()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_meta    jsonb := coalesce(new.raw_user_meta_data, '{}'::jsonb);
  v_base    text;
  v_name    text;
  v_display text;
begin
  v_base := lower(coalesce(nullif(v_meta ->> 'username', ''),
                           nullif(split_part(coalesce(new.email, ''), '@', 1), ''),
                           'user'));
  v_base := regexp_replace(v_base, '[^a-z0-9_.]+', '_', 'g');
  v_base := left(trim(both '_.' from v_base), 24);
  v_base := trim(both '_.' from v_base);
  if char_length(v_base) < 3 then
    v_base := 'user' || v_base;
  end if;
  v_display := left(coalesce(nullif(trim(v_meta ->> 'display_name'), ''),
                             nullif(trim(v_meta ->> 'full_name'), ''),
                             nullif(trim(v_meta ->> 'name'), ''),
                             v_base), 64);

  v_name := v_base;
  for i in 1 .. 8 loop
    insert into public.profiles (id, username, display_name)
    values (new.id, v_name, v_display)
    on conflict do nothing;
    if found or exists (select 1 from public.profiles p where p.id = new.id) then
      return null;
    end if;
    v_name := v_base || '_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 6);
  end loop;
  return null;
end
$$;

create or replace trigger pingline_on_auth_user_created
  after insert on auth.users
  for each row execute function private.handle_new_user();

-- Accounts that are older than this schema.
insert into public.profiles (id, username, display_name)
select u.id,
       'user_' || substr(replace(u.id::text, '-', ''), 1, 12),
       left(coalesce(nullif(trim(u.raw_user_meta_data ->> 'display_name'), ''),
                     nullif(split_part(coalesce(u.email, ''), '@', 1), ''), 'user'), 64)
from auth.users u
where not exists (select 1 from public.profiles p where p.id = u.id)
on conflict do nothing;

-- ---------- Row level security and privileges

alter table public.profiles             enable row level security;
alter table public.conversations        enable row level security;
alter table public.conversation_members enable row level security;
alter table public.conversation_flags   enable row level security;
alter table public.messages             enable row level security;
alter table public.reactions            enable row level security;

-- In a Supabase project the API's roles may do everything with a new table in `public`. Nothing of that is meant.
revoke all on public.profiles, public.conversations, public.conversation_members,
              public.conversation_flags, public.messages, public.reactions
  from public, anon, authenticated;
grant all on public.profiles, public.conversations, public.conversation_members,
             public.conversation_flags, public.messages, public.reactions
  to service_role;

grant select on public.profiles to authenticated;
grant insert (id, username, display_name, about, avatar_path) on public.profiles to authenticated;
grant update (username, display_name, about, avatar_path) on public.profiles to authenticated;

grant select on public.conversations to authenticated;
grant update (title, avatar_path) on public.conversations to authenticated;

-- Read only: marks and flags are set by functions, each for the caller's own row.
grant select on public.conversation_members, public.conversation_flags to authenticated;

grant select, insert on public.messages to authenticated;
grant update (body, deleted_at) on public.messages to authenticated;

-- An upsert sets every column it was sent, so those of the key are granted too; the trigger holds them still.
grant select on public.reactions to authenticated;
grant insert (message_id, user_id, symbol, removed_at) on public.reactions to authenticated;
grant update (message_id, user_id, symbol, removed_at) on public.reactions to authenticated;

drop policy if exists profiles_select on public.profiles;
create policy profiles_select on public.profiles
  for select to authenticated
  using (true);
drop policy if exists profiles_insert on public.profiles;
create policy profiles_insert on public.profiles
  for insert to authenticated
  with check (id = (select auth.uid()));
drop policy if exists profiles_update on public.profiles;
create policy profiles_update on public.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

drop policy if exists conversations_select on public.conversations;
create policy conversations_select on public.conversations
  for select to authenticated
  using (private.is_member(id));
drop policy if exists conversations_update on public.conversations;
create policy conversations_update on public.conversations
  for update to authenticated
  using (private.is_manager(id))
  with check (private.is_manager(id));

-- Whoever left still sees their own row: or nobody would tell them that they were removed.
drop policy if exists conversation_members_select on public.conversation_members;
create policy conversation_members_select on public.conversation_members
  for select to authenticated
  using (user_id = (select auth.uid()) or private.is_member(conversation_id));
drop policy if exists conversation_members_update on public.conversation_members;

drop policy if exists conversation_flags_select on public.conversation_flags;
create policy conversation_flags_select on public.conversation_flags
  for select to authenticated
  using (user_id = (select auth.uid()));

drop policy if exists messages_select on public.messages;
create policy messages_select on public.messages
  for select to authenticated
  using (private.is_member(conversation_id));
drop policy if exists messages_insert on public.messages;
create policy messages_insert on public.messages
  for insert to authenticated
  with check (sender_id = (select auth.uid()) and private.is_member(conversation_id));
drop policy if exists messages_update on public.messages;
create policy messages_update on public.messages
  for update to authenticated
  using (sender_id = (select auth.uid()) and private.is_member(conversation_id))
  with check (sender_id = (select auth.uid()) and private.is_member(conversation_id));

drop policy if exists reactions_select on public.reactions;
create policy reactions_select on public.reactions
  for select to authenticated
  using (private.is_member(conversation_id));
drop policy if exists reactions_insert on public.reactions;
create policy reactions_insert on public.reactions
  for insert to authenticated
  with check (user_id = (select auth.uid()) and private.is_member(conversation_id));
drop policy if exists reactions_update on public.reactions;
create policy reactions_update on public.reactions
  for update to authenticated
  using (user_id = (select auth.uid()) and private.is_member(conversation_id))
  with check (user_id = (select auth.uid()) and private.is_member(conversation_id));

-- ---------- Functions

-- Opens a conversation. Asked again with the same p_id, or for the same two people, it answers the one there is.
create or replace function public.create_conversation(
  p_member_ids uuid[],
  p_title      text    default null,
  p_is_group   boolean default null,
  p_id         uuid    default null
)
returns public.conversations
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_uid    uuid := private.require_uid();
  v_others uuid[];
  v_group  boolean;
  v_key    text;
  v_conv   public.conversations;
begin
  select coalesce(array_agg(distinct u), '{}') into v_others
  from unnest(coalesce(p_member_ids, '{}')) u
  where u is not null and u <> v_uid;

  v_group := coalesce(p_is_group, cardinality(v_others) <> 1);
  if not v_group and cardinality(v_others) <> 1 then
    raise exception 'a one-to-one conversation needs exactly one other member' using errcode = '22023';
  end if;
  if cardinality(v_others) > 255 then
    raise exception 'too many members' using errcode = '22023';
  end if;
  if (select count(*) from public.profiles p where p.id = any (v_others)) <> cardinality(v_others) then
    raise exception 'unknown member' using errcode = '23503';
  end if;

  if p_id is not null then
    select c.* into v_conv from public.conversations c where c.id = p_id;
    if found then
      if not private.is_member(p_id) then
        raise exception 'not a member of this conversation' using errcode = '42501';
      end if;
      return v_conv;
    end if;
  end if;

  if not v_group then
    v_key := least(v_uid, v_others[1])::text || ':' || greatest(v_uid, v_others[1])::text;
  end if;

  insert into public.conversations (id, title, is_group, direct_key, created_by)
  values (coalesce(p_id, gen_random_uuid()),
          case when v_group then nullif(trim(p_title), '') end,
          v_group, v_key, v_uid)
  on conflict do nothing
  returning * into v_conv;

  if v_conv.id is null then
    -- The two have a conversation, or somebody else made this one a moment ago.
    select c.* into v_conv
    from public.conversations c
    where (v_key is not null and c.direct_key = v_key)
       or (v_key is null and c.id = p_id);
    if v_key is null then
      if not private.is_member(v_conv.id) then
        raise exception 'not a member of this conversation' using errcode = '42501';
      end if;
      return v_conv;
    end if;
    update public.conversation_members m
    set left_at = null
    where m.conversation_id = v_conv.id and m.user_id = v_uid and m.left_at is not null;
    return v_conv;
  end if;

  insert into public.conversation_members (conversation_id, user_id, role)
  select v_conv.id, v_uid, case when v_group then 'owner' else 'member' end
  union all
  select v_conv.id, o, 'member' from unnest(v_others) o;
  return v_conv;
end
$$;

-- Adds people to a group, as its owner or an admin of it. Answers how many were not in it.
create or replace function public.add_members(p_conversation_id uuid, p_member_ids uuid[])
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  perform private.require_uid();
  if not private.is_manager(p_conversation_id) then
    raise exception 'only an owner or admin of a group can add members' using errcode = '42501';
  end if;
  with added as (
    insert into public.conversation_members as m (conversation_id, user_id)
    select p_conversation_id, p.id
    from public.profiles p
    where p.id = any (p_member_ids)
    on conflict (conversation_id, user_id)
      do update set left_at = null, joined_at = now(), role = 'member'
      where m.left_at is not null
    returning 1
  )
  select count(*)::integer into v_count from added;
  return v_count;
end
$$;

-- Ends the caller's membership, or as owner or admin somebody else's.
create or replace function public.leave_conversation(
  p_conversation_id uuid,
  p_user_id         uuid default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_uid    uuid := private.require_uid();
  v_target uuid := coalesce(p_user_id, v_uid);
begin
  if not private.is_member(p_conversation_id) then
    raise exception 'not a member of this conversation' using errcode = '42501';
  end if;
  if v_target <> v_uid and not private.is_manager(p_conversation_id) then
    raise exception 'only an owner or admin of a group can remove members' using errcode = '42501';
  end if;
  if v_target <> v_uid and exists (
       select 1 from public.conversation_members m
       where m.conversation_id = p_conversation_id and m.user_id = v_target and m.role = 'owner') then
    raise exception 'the owner cannot be removed' using errcode = '42501';
  end if;

  update public.conversation_members m
  set left_at = now()
  where m.conversation_id = p_conversation_id and m.user_id = v_target and m.left_at is null;

  -- As long as somebody is in a group, it has an owner.
  if v_target = v_uid then
    update public.conversation_members m
    set role = 'member'
    where m.conversation_id = p_conversation_id and m.user_id = v_uid and m.role = 'owner';
    if found then
      update public.conversation_members m
      set role = 'owner'
      where m.conversation_id = p_conversation_id
        and m.user_id = (
          select n.user_id
          from public.conversation_members n
          where n.conversation_id = p_conversation_id and n.left_at is null
          order by (n.role = 'admin') desc, n.joined_at, n.user_id
          limit 1);
    end if;
  end if;
end
$$;

-- Moves the caller's mark up to a message, or without one up to the newest; never back. Answers the mark in force.
-- It takes a message's id: an instant would depend on how precisely a client keeps time.
create or replace function private.mark(p_conversation_id uuid, p_message_id uuid, p_read boolean)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_uid uuid := private.require_uid();
  v_to  timestamptz;
  v_row public.conversation_members;
begin
  if not private.is_member(p_conversation_id) then
    raise exception 'not a member of this conversation' using errcode = '42501';
  end if;
  if p_message_id is null then
    select c.last_message_at into v_to
    from public.conversations c where c.id = p_conversation_id;
  else
    select m.created_at into v_to
    from public.messages m
    where m.id = p_message_id and m.conversation_id = p_conversation_id;
    if not found then
      raise exception 'no such message in this conversation' using errcode = 'PT404';
    end if;
  end if;

  -- A mark that stands still is not written: each write is an event for every member.
  update public.conversation_members m
  set last_delivered_at = greatest(m.last_delivered_at, v_to),
      last_read_at      = case when p_read then greatest(m.last_read_at, v_to) else m.last_read_at end
  where m.conversation_id = p_conversation_id
    and m.user_id = v_uid
    and v_to is not null
    and (m.last_delivered_at is null or m.last_delivered_at < v_to
         or (p_read and (m.last_read_at is null or m.last_read_at < v_to)));

  select m.* into v_row
  from public.conversation_members m
  where m.conversation_id = p_conversation_id and m.user_id = v_uid;
  return case when p_read then v_row.last_read_at else v_row.last_delivered_at end;
end
$$;

create or replace function public.mark_read(p_conversation_id uuid, p_message_id uuid default null)
returns timestamptz
language sql
security definer
set search_path = ''
as $$
  select private.mark(p_conversation_id, p_message_id, true)
$$;

create or replace function public.mark_delivered(p_conversation_id uuid, p_message_id uuid default null)
returns timestamptz
language sql
security definer
set search_path = ''
as $$
  select private.mark(p_conversation_id, p_message_id, false)
$$;

-- Pins, archives or mutes a conversation for the caller. NULL leaves a flag as it is; a mute up to a time that has
-- passed ends it. `infinity` becomes the year 9999, which every client can read. Answers the flags.
-- Dropped first: in an earlier version it answered the membership.
drop function if exists public.set_conversation_flags(uuid, boolean, boolean, timestamptz);
create function public.set_conversation_flags(
  p_conversation_id uuid,
  p_pinned          boolean     default null,
  p_archived        boolean     default null,
  p_muted_until     timestamptz default null
)
returns public.conversation_flags
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_uid uuid := private.require_uid();
  v_old public.conversation_flags;
  v_new public.conversation_flags;
begin
  -- The lock keeps two calls of one member from reading the same old flags.
  perform 1
  from public.conversation_members m
  where m.conversation_id = p_conversation_id and m.user_id = v_uid and m.left_at is null
  for no key update;
  if not found then
    raise exception 'not a member of this conversation' using errcode = '42501';
  end if;

  select f.* into v_old
  from public.conversation_flags f
  where f.conversation_id = p_conversation_id and f.user_id = v_uid;
  v_new := v_old;
  v_new.conversation_id := p_conversation_id;
  v_new.user_id := v_uid;
  if p_pinned is not null then
    v_new.pinned_at := case when p_pinned then coalesce(v_old.pinned_at, now()) end;
  end if;
  if p_archived is not null then
    v_new.archived_at := case when p_archived then coalesce(v_old.archived_at, now()) end;
  end if;
  if p_muted_until is not null then
    v_new.muted_until := case when p_muted_until > now()
                              then least(p_muted_until, '9999-12-31 00:00:00+00'::timestamptz) end;
  end if;

  -- Nothing is written when nothing changes, so no event is sent.
  if (v_new.muted_until, v_new.pinned_at, v_new.archived_at)
     is distinct from (v_old.muted_until, v_old.pinned_at, v_old.archived_at) then
    insert into public.conversation_flags as f (conversation_id, user_id, muted_until, pinned_at, archived_at)
    values (v_new.conversation_id, v_new.user_id, v_new.muted_until, v_new.pinned_at, v_new.archived_at)
    on conflict (conversation_id, user_id) do update
      set muted_until = excluded.muted_until,
          pinned_at   = excluded.pinned_at,
          archived_at = excluded.archived_at;
  end if;
  return v_new;
end
$$;

-- Sets a reaction of the caller or takes it back. Doing it again changes nothing.
create or replace function public.set_reaction(p_message_id uuid, p_symbol text, p_on boolean default true)
returns public.reactions
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_uid uuid := private.require_uid();
  v_row public.reactions;
begin
  if not exists (
       select 1 from public.messages m
       where m.id = p_message_id and m.deleted_at is null and private.is_member(m.conversation_id)) then
    raise exception 'no such message' using errcode = '42501';
  end if;

  select r.* into v_row
  from public.reactions r
  where r.message_id = p_message_id and r.user_id = v_uid and r.symbol = p_symbol;
  if found and (v_row.removed_at is null) = p_on then
    return v_row;
  end if;
  if not found and not p_on then
    return null;
  end if;

  insert into public.reactions as r (message_id, user_id, symbol, removed_at)
  values (p_message_id, v_uid, p_symbol, case when p_on then null else now() end)
  on conflict (message_id, user_id, symbol)
    do update set removed_at = excluded.removed_at
  returning r.* into v_row;
  return v_row;
end
$$;

-- All conversations of the caller, the latest activity first: with the last message, how many are unread (up to
-- 1000), who the other one is of a pair, how far all others have received and read, and the caller's own flags.
-- SECURITY DEFINER, for the policies would ask private.is_member() for every message that is counted; so the query
-- itself must look for the caller's membership. Dropped first: `or replace` cannot change columns.
drop function if exists public.list_conversations(integer, timestamptz, uuid);
create function public.list_conversations(
  p_limit     integer     default 50,
  p_before    timestamptz default null,
  p_before_id uuid        default null
)
returns table (
  id                      uuid,
  title                   text,
  is_group                boolean,
  avatar_path             text,
  created_at              timestamptz,
  changed_at              timestamptz,
  activity_at             timestamptz,
  role                    text,
  muted_until             timestamptz,
  pinned_at               timestamptz,
  archived_at             timestamptz,
  member_count            integer,
  peer_id                 uuid,
  peer_username           text,
  peer_display_name       text,
  last_read_at            timestamptz,
  last_delivered_at       timestamptz,
  others_read_at          timestamptz,
  others_delivered_at     timestamptz,
  unread_count            integer,
  last_message_id         uuid,
  last_message_sender_id  uuid,
  last_message_body       text,
  last_message_image_path text,
  last_message_deleted_at timestamptz,
  last_message_created_at timestamptz
)
language sql
stable
security definer
set search_path = ''
rows 50
as $$
  select c.id, c.title, c.is_group, c.avatar_path, c.created_at, c.changed_at,
         coalesce(c.last_message_at, c.created_at),
         me.role, f.muted_until, f.pinned_at, f.archived_at,
         o.member_count,
         p.id, p.username, p.display_name,
         me.last_read_at, me.last_delivered_at,
         o.read_at, o.delivered_at,
         u.unread,
         l.id, l.sender_id, l.body, l.image_path, l.deleted_at, l.created_at
  from public.conversation_members me
  join public.conversations c on c.id = me.conversation_id
  left join public.conversation_flags f
    on f.conversation_id = me.conversation_id and f.user_id = me.user_id
  cross join lateral (
    select count(*)::integer as member_count,
           -- Somebody without a mark: then not everybody has read.
           case when count(*) filter (where m.user_id <> me.user_id and m.last_read_at is null) = 0
                then min(m.last_read_at) filter (where m.user_id <> me.user_id) end as read_at,
           case when count(*) filter (where m.user_id <> me.user_id and m.last_delivered_at is null) = 0
                then min(m.last_delivered_at) filter (where m.user_id <> me.user_id) end as delivered_at
    from public.conversation_members m
    where m.conversation_id = c.id and m.left_at is null
  ) o
  left join lateral (
    select pr.id, pr.username, pr.display_name
    from public.conversation_members m
    join public.profiles pr on pr.id = m.user_id
    where not c.is_group and m.conversation_id = c.id and m.user_id <> me.user_id
    limit 1
  ) p on true
  left join lateral (
    select m.id, m.sender_id, m.body, m.image_path, m.deleted_at, m.created_at
    from public.messages m
    where m.conversation_id = c.id
    order by m.created_at desc, m.id desc
    limit 1
  ) l on true
  cross join lateral (
    select count(*)::integer as unread
    from (
      select 1
      from public.messages m
      where m.conversation_id = c.id
        and m.created_at > coalesce(me.last_read_at, '-infinity'::timestamptz)
        and m.sender_id is distinct from me.user_id
        and m.deleted_at is null
      limit 1000
    ) x
  ) u
  where me.user_id = (select auth.uid())
    and me.left_at is null
    and (p_before is null
         or coalesce(c.last_message_at, c.created_at) < p_before
         or (p_before_id is not null
             and coalesce(c.last_message_at, c.created_at) = p_before and c.id < p_before_id))
  order by coalesce(c.last_message_at, c.created_at) desc, c.id desc
  limit greatest(1, least(coalesce(p_limit, 50), 200))
$$;

-- Finds words in what the caller may read: as in a search box, with "a phrase", or, -not; a last word of two letters
-- or more is also the beginning of one. SECURITY DEFINER, and the membership in the query: `@@` is not leakproof, so
-- under a policy it could not use its index.
create or replace function public.search_messages(
  p_query           text,
  p_conversation_id uuid        default null,
  p_limit           integer     default 50,
  p_before          timestamptz default null
)
returns setof public.messages
language sql
stable
security definer
set search_path = ''
rows 50
as $$
  with q as (
    select websearch_to_tsquery('simple'::regconfig, coalesce(p_query, '')) as exact,
           case
             when p_query ~ '\w{2,}$' and p_query !~ '["-]'
             then (
               select string_agg(
                        case when t.n = t.total then quote_literal(t.w) || ':*' else quote_literal(t.w) end,
                        ' & ' order by t.n)::tsquery
               from (
                 select lower(w) as w, n, count(*) over () as total
                 from regexp_split_to_table(trim(p_query), '\W+') with ordinality as s (w, n)
                 where w <> ''
               ) t)
           end as prefix
  )
  select m.*
  from public.messages m
  cross join q
  where m.deleted_at is null
    and m.conversation_id in (
      select me.conversation_id
      from public.conversation_members me
      where me.user_id = (select auth.uid()) and me.left_at is null)
    and (numnode(q.exact) > 0 or q.prefix is not null)
    and (to_tsvector('simple'::regconfig, m.body) @@ q.exact
         or to_tsvector('simple'::regconfig, m.body) @@ q.prefix)
    and (p_conversation_id is null or m.conversation_id = p_conversation_id)
    and (p_before is null or m.created_at < p_before)
  order by m.created_at desc, m.id desc
  limit greatest(1, least(coalesce(p_limit, 50), 200))
$$;

-- Finds people by the beginning of the user name or a part of the shown one.
create or replace function public.search_profiles(p_query text, p_limit integer default 20)
returns setof public.profiles
language sql
stable
security invoker
set search_path = ''
rows 20
as $$
  select p.*
  from public.profiles p
  where char_length(trim(coalesce(p_query, ''))) >= 2
    and (starts_with(p.username, lower(trim(p_query)))
         or strpos(lower(p.display_name), lower(trim(p_query))) > 0)
  order by (p.username = lower(trim(p_query))) desc, p.username
  limit greatest(1, least(coalesce(p_limit, 20), 50))
$$;

-- Who may call what. Nothing for anon; of the private functions, those that policies run as the caller.
revoke all on all functions in schema private from public, anon, authenticated;
grant execute on function private.try_uuid(text), private.require_uid(),
                          private.is_member(uuid), private.is_manager(uuid)
  to authenticated, service_role;

revoke all on function
  public.create_conversation(uuid[], text, boolean, uuid),
  public.add_members(uuid, uuid[]),
  public.leave_conversation(uuid, uuid),
  public.mark_read(uuid, uuid),
  public.mark_delivered(uuid, uuid),
  public.set_conversation_flags(uuid, boolean, boolean, timestamptz),
  public.set_reaction(uuid, text, boolean),
  public.list_conversations(integer, timestamptz, uuid),
  public.search_messages(text, uuid, integer, timestamptz),
  public.search_profiles(text, integer)
  from public, anon;
grant execute on function
  public.create_conversation(uuid[], text, boolean, uuid),
  public.add_members(uuid, uuid[]),
  public.leave_conversation(uuid, uuid),
  public.mark_read(uuid, uuid),
  public.mark_delivered(uuid, uuid),
  public.set_conversation_flags(uuid, boolean, boolean, timestamptz),
  public.set_reaction(uuid, text, boolean),
  public.list_conversations(integer, timestamptz, uuid),
  public.search_messages(text, uuid, integer, timestamptz),
  public.search_profiles(text, integer)
  to authenticated, service_role;

-- ---------- Realtime

do $$
declare
  v_table text;
begin
  if not exists (select 1 from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  if (select puballtables from pg_publication where pubname = 'supabase_realtime') then
    return;
  end if;
  foreach v_table in array array[
    'profiles', 'conversations', 'conversation_members', 'conversation_flags', 'messages', 'reactions']
  loop
    if not exists (
         select 1 from pg_publication_tables
         where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = v_table) then
      execute format('alter publication supabase_realtime add table public.%I', v_table);
    end if;
  end loop;
end
$$;

-- Typing and presence go through private channels named `conversation:<id>`, which only members join.
do $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return;
  end if;
  execute 'drop policy if exists pingline_channel_read on realtime.messages';
  execute 'drop policy if exists pingline_channel_write on realtime.messages';
  execute $p$
    create policy pingline_channel_read on realtime.messages
      for select to authenticated
      using (extension in ('broadcast', 'presence')
             and split_part((select realtime.topic()), ':', 1) = 'conversation'
             and private.is_member(private.try_uuid(split_part((select realtime.topic()), ':', 2))))
  $p$;
  execute $p$
    create policy pingline_channel_write on realtime.messages
      for insert to authenticated
      with check (extension in ('broadcast', 'presence')
                  and split_part((select realtime.topic()), ':', 1) = 'conversation'
                  and private.is_member(private.try_uuid(split_part((select realtime.topic()), ':', 2))))
  $p$;
end
$$;

-- ---------- Storage: objects named <conversation>/<message>/<file> in the bucket `attachments`

do $$
begin
  if to_regclass('storage.buckets') is null or to_regclass('storage.objects') is null then
    return;
  end if;

  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('attachments', 'attachments', false, 52428800, null)  -- 50 MiB, any type
  on conflict (id) do update
    set public             = excluded.public,
        file_size_limit    = excluded.file_size_limit,
        allowed_mime_types = excluded.allowed_mime_types;

  execute 'drop policy if exists pingline_attachments_select on storage.objects';
  execute 'drop policy if exists pingline_attachments_insert on storage.objects';
  execute 'drop policy if exists pingline_attachments_update on storage.objects';
  execute 'drop policy if exists pingline_attachments_delete on storage.objects';
  execute $p$
    create policy pingline_attachments_select on storage.objects
      for select to authenticated
      using (bucket_id = 'attachments'
             and private.is_member(private.try_uuid(split_part(name, '/', 1))))
  $p$;
  execute $p$
    create policy pingline_attachments_insert on storage.objects
      for insert to authenticated
      with check (bucket_id = 'attachments'
                  and owner_id = (select auth.uid())::text
                  and private.try_uuid(split_part(name, '/', 2)) is not null
                  and split_part(name, '/', 3) <> '' and split_part(name, '/', 4) = ''
                  and private.is_member(private.try_uuid(split_part(name, '/', 1))))
  $p$;
  -- An upload with `x-upsert: true` over a file that is there; its uploader only.
  execute $p$
    create policy pingline_attachments_update on storage.objects
      for update to authenticated
      using (bucket_id = 'attachments'
             and owner_id = (select auth.uid())::text
             and private.is_member(private.try_uuid(split_part(name, '/', 1))))
      with check (bucket_id = 'attachments'
                  and owner_id = (select auth.uid())::text
                  and private.is_member(private.try_uuid(split_part(name, '/', 1))))
  $p$;
  execute $p$
    create policy pingline_attachments_delete on storage.objects
      for delete to authenticated
      using (bucket_id = 'attachments'
             and owner_id = (select auth.uid())::text
             and private.is_member(private.try_uuid(split_part(name, '/', 1))))
  $p$;
end
$$;

commit;

-- PostgREST keeps a copy of the schema.
notify pgrst, 'reload schema';
