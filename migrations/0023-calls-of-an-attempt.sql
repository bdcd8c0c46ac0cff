-- A payment stays single by what is counted, not by who holds it: every call under a key is on record before it is made and again when it is
-- answered. Times of asking are by the clock of this database alone, since those of the machines around it differ.
alter table payment_attempts
  -- The attempt itself records the first call.
  add column calls_begun integer not null default 1,
  add column calls_heard integer not null default 0,
  -- When the newest call went on record.
  add column last_call_at timestamptz not null default now(),
  -- Since when only a human can say what became of it.
  add column unresolved_since timestamptz,
  add constraint no_more_is_heard_than_was_begun check (calls_heard <= calls_begun),
  alter column asked_at set default date_trunc('second', now()),
  alter column next_check_at set default now() + interval '120 seconds';
update payment_attempts set calls_heard = 1 where settled_at is not null;
update payment_attempts set last_call_at = asked_at where settled_at is null;
create index payment_attempts_unresolved on payment_attempts (site_id, id) where unresolved_since is not null and settled_at is null;

-- Money that a gateway took after its attempt had ended otherwise: it pays what is still owed, or is given back.
create table late_approvals (
  site_id bigint not null,
  attempt_id bigint not null,
  gateway_transaction_id text not null,
  subscription_id bigint not null,
  message text not null,
  heard_at timestamptz not null default now(),
  resolution text,
  resolved_at timestamptz,
  -- The next try to give it back, by the clock of this database; each try puts it off.
  next_check_at timestamptz not null default now(),
  checks integer not null default 0,
  primary key (site_id, attempt_id, gateway_transaction_id),
  foreign key (site_id, attempt_id) references payment_attempts (site_id, id),
  constraint a_resolution_is_known check (resolution in ('recorded', 'given_back')),
  constraint resolved_says_how check ((resolution is null) = (resolved_at is null))
);
create index late_approvals_open on late_approvals (site_id, next_check_at) where resolved_at is null;
create index late_approvals_of_a_subscription on late_approvals (site_id, subscription_id);

-- Which letters go to the merchant is said in one place, by the service.
alter table letters drop constraint if exists who_is_no_customer_is_the_merchant;
