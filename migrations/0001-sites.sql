-- Sites are the tenants: settings, a clock each, and the keys that open them.
-- Every id on the wire comes from a sequence that starts at 500001.

create sequence sites_id_seq start with 500001;
create table sites (
  id bigint primary key default nextval('sites_id_seq'),
  subdomain text not null,
  name text not null,
  live boolean not null default false,
  currency text not null default 'USD',
  time_zone text not null default 'UTC',
  -- Where the merchant is, in two letters: customers of the same country cannot opt out of its value added tax.
  country text,
  sealed_shared_key text not null,
  dunning_attempts integer not null default 14,
  dunning_interval_in_hours integer not null default 24,
  dunning_final_action text not null default 'cancel',
  component_upgrade_scheme text not null default 'no-prorate',
  component_downgrade_scheme text not null default 'no-prorate',
  -- A moved clock shows clock_set_to plus the wall time since clock_set_at; while it is on its way it stands still at clock_set_to.
  clock_set_to timestamptz,
  clock_set_at timestamptz,
  clock_advancing_to timestamptz,
  -- The process that moves it; when that is gone, another one finishes the move.
  clock_moved_by bigint,
  created_at timestamptz not null,
  constraint a_subdomain_names_one_site unique (subdomain),
  constraint dunning_asks_at_least_once check (dunning_attempts between 1 and 100),
  constraint dunning_waits_between_attempts check (dunning_interval_in_hours between 1 and 720),
  constraint dunning_ends_in_a_known_way check (dunning_final_action in ('cancel', 'unpaid')),
  constraint a_moved_clock_knows_when_it_was_moved check ((clock_set_to is null) = (clock_set_at is null)),
  constraint a_live_clock_never_moves check (not live or clock_set_to is null)
);

create table api_keys (
  key_hash text primary key,
  site_id bigint not null references sites (id),
  created_at timestamptz not null
);
create index api_keys_of_a_site on api_keys (site_id);
