-- Times are milliseconds since the Unix epoch. Columns named facts, progress, entry and body hold JSON text.
create table toolgate_pauses (
  id text primary key,
  version integer not null,
  identity text not null,
  generation integer not null,
  tenant text not null,
  principal text not null,
  conversation text not null,
  state text not null,
  created_at integer not null,
  settled_at integer,
  due_at integer,
  audit_sequence integer not null,
  audit_head text not null,
  erased integer not null,
  facts text not null,
  unique (identity, generation)
) without rowid;

create index toolgate_pauses_by_state on toolgate_pauses (state, created_at, id);
create index toolgate_pauses_by_conversation on toolgate_pauses (conversation, created_at, id);
create index toolgate_pauses_by_due on toolgate_pauses (due_at) where due_at is not null;
create index toolgate_pauses_by_settled on toolgate_pauses (settled_at) where settled_at is not null;

create table toolgate_calls (
  pause_id text not null,
  ordinal integer not null,
  state text not null,
  facts text not null,
  progress text not null,
  primary key (pause_id, ordinal)
) without rowid;

create index toolgate_calls_by_state on toolgate_calls (state, pause_id);

create table toolgate_audit (
  chain text not null,
  sequence integer not null,
  at integer not null,
  entry text not null,
  hash text not null,
  primary key (chain, sequence)
) without rowid;

create table toolgate_rules (
  id text primary key,
  version integer not null,
  tenant text not null,
  expires_at integer not null,
  revoked_at integer,
  body text not null
) without rowid;

create index toolgate_rules_by_tenant on toolgate_rules (tenant, expires_at);

create table toolgate_outbox (
  id text primary key,
  state text not null,
  due_at integer not null,
  attempts integer not null,
  body text not null
) without rowid;

create index toolgate_outbox_by_due on toolgate_outbox (state, due_at);
