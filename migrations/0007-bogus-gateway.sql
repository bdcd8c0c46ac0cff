-- The test gateway's own record, as a stranger's system would keep it: written on connections of its own, never inside our transactions.

create schema bogus_gateway;

create sequence bogus_gateway.calls_id_seq;
create table bogus_gateway.calls (
  site_id bigint not null,
  id bigint not null default nextval('bogus_gateway.calls_id_seq'),
  idempotency_key text not null,
  kind text not null,
  amount_in_cents bigint not null,
  vault_token text,
  outcome text not null,
  message text not null,
  subscription_id bigint,
  -- The purchase of which a refund gives something back.
  purchase_id bigint,
  created_at timestamptz not null,
  primary key (site_id, id)
);
-- A call that went wrong before anything was captured may be made again with its key; an answer that was given stands.
create unique index an_answer_stands on bogus_gateway.calls (site_id, kind, idempotency_key) where outcome <> 'error';

create table bogus_gateway.behaviours (
  site_id bigint primary key,
  latency_in_ms integer not null default 0,
  decline_rate double precision not null default 0,
  error_rate double precision not null default 0,
  lose_answer_rate double precision not null default 0
);
