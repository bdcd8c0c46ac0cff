-- What merchants are told: where to, each message, and each attempt to deliver it.

create table webhook_settings (
  site_id bigint primary key references sites (id),
  enabled boolean not null default true,
  -- How many webhooks of the site were given a number in its sequence, and how many of those are deleted.
  numbered bigint not null default 0,
  forgotten bigint not null default 0
);

create sequence webhook_endpoints_id_seq start with 500001;
create table webhook_endpoints (
  site_id bigint not null references sites (id),
  id bigint not null,
  url text not null,
  event_keys text[] not null,
  status text not null default 'enabled',
  -- Whether the webhooks of one subscription wait for one another.
  ordered boolean not null default false,
  sealed_secret text not null,
  -- The secret before the last rotation; it signs too until then, by the wall clock.
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  -- How many webhooks of this endpoint were given a number in its own sequence, and how many of those are deleted.
  numbered bigint not null default 0,
  forgotten bigint not null default 0,
  -- Attempts that failed since the last one that was accepted, and since when, by the wall clock.
  failures_in_a_row integer not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before this, by the wall clock; set while an endpoint keeps failing.
  slowed_until timestamptz,
  -- The process that sends to it now; another one takes over when that is gone, or silent for too long.
  leased_by bigint,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  constraint an_endpoint_status_is_known check (status in ('enabled', 'disabled', 'deleted')),
  constraint a_previous_secret_ends check ((sealed_previous_secret is null) = (previous_secret_until is null)),
  constraint a_failing_endpoint_knows_since_when check ((failures_in_a_row = 0) = (failing_since is null)),
  constraint no_more_is_forgotten_than_numbered check (forgotten <= numbered),
  constraint a_lease_ends check ((leased_by is null) = (lease_until is null))
);

create index webhook_endpoints_slowed on webhook_endpoints (site_id, failing_since) where slowed_until is not null;

create sequence webhooks_id_seq start with 500001;
create table webhooks (
  site_id bigint not null,
  id bigint not null,
  endpoint_id bigint not null,
  -- Null for a test, which tells of nothing that happened.
  event_id bigint,
  event text not null,
  subscription_id bigint,
  body text not null,
  created_at timestamptz not null,
  -- Places in the sequence of the site and in that of the endpoint, both without gaps; given after the act has committed.
  sequence bigint,
  endpoint_sequence bigint,
  successful boolean not null default false,
  accepted_at timestamptz,
  last_sent_at timestamptz,
  last_sent_url text,
  last_error_at timestamptz,
  last_error text,
  attempts integer not null default 0,
  -- Attempts since it was created or replayed, and the first of them by the wall clock: the schedule of retries counts from there.
  tries integer not null default 0,
  tried_since timestamptz,
  replays integer not null default 0,
  -- When the next attempt is due, by the wall clock; null when none is.
  next_attempt_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, endpoint_id) references webhook_endpoints (site_id, id),
  constraint a_webhook_is_numbered_twice check ((sequence is null) = (endpoint_sequence is null)),
  constraint an_unnumbered_webhook_waits check (sequence is not null or (attempts = 0 and next_attempt_at is null)),
  constraint an_accepted_webhook_succeeded check (accepted_at is null or (successful and last_error is null and next_attempt_at is null)),
  constraint an_error_has_its_moment check ((last_error is null) = (last_error_at is null))
) with (fillfactor = 80);
create index webhooks_unnumbered on webhooks (site_id, id) where sequence is null;
create index webhooks_due on webhooks (site_id, endpoint_id, next_attempt_at, id) where next_attempt_at is not null;
-- Tells whether an earlier one of the same subscription is still to be accepted.
create index webhooks_waiting on webhooks (site_id, endpoint_id, subscription_id, id) where next_attempt_at is not null;
create index webhooks_of_a_subscription on webhooks (site_id, subscription_id, id);
create index webhooks_by_time on webhooks (site_id, created_at, id);
create index webhooks_failed on webhooks (site_id, created_at, id) where last_error is not null;

create table webhook_attempts (
  site_id bigint not null,
  webhook_id bigint not null,
  number integer not null,
  -- By the site's clock.
  sent_at timestamptz not null,
  accepted boolean not null,
  status_code integer,
  error text,
  duration_in_ms integer not null,
  primary key (site_id, webhook_id, number),
  foreign key (site_id, webhook_id) references webhooks (site_id, id),
  constraint an_attempt_succeeds_or_says_why check (accepted = (error is null))
);
