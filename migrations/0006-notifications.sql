-- What happened, as merchants read it; and the keys that make a repeated request harmless.

create sequence events_id_seq start with 500001;
create table events (
  site_id bigint not null,
  id bigint not null default nextval('events_id_seq'),
  key text not null,
  message text not null,
  subscription_id bigint,
  customer_id bigint,
  created_at timestamptz not null,
  event_specific_data jsonb,
  primary key (site_id, id)
);
create index events_of_a_subscription on events (site_id, subscription_id, id);
-- A rare key is found at once, and so is a day.
create index events_of_a_key on events (site_id, key, id);
create index events_by_time on events (site_id, created_at, id);

-- Processes number themselves and hold a session lock under that number for as long as they live.
create sequence asker_numbers as integer cycle;

create table idempotency_keys (
  site_id bigint not null references sites (id),
  key text not null,
  request_hash text not null,
  started_at timestamptz not null,
  started_by bigint not null,
  -- The answer as it was given, key order included; null while the request is being worked on.
  answer text,
  primary key (site_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (site_id, started_at);

create table uniqueness_tokens (
  site_id bigint not null references sites (id),
  token text not null,
  used_at timestamptz not null,
  primary key (site_id, token)
);
create index uniqueness_tokens_by_age on uniqueness_tokens (site_id, used_at);
