-- Notices of what is coming: how far ahead each site gives them, and which were given already.

alter table sites
  add column upcoming_renewal_notice_days integer not null default 3,
  add column trial_end_notice_days integer not null default 3,
  add column expiring_card_notices boolean not null default true,
  add constraint notices_come_a_month_ahead_at_most check (
    upcoming_renewal_notice_days between 0 and 30 and trial_end_notice_days between 0 and 30);

-- The end of the period of which a notice was given, or needed none: another end is noticed anew.
alter table subscriptions add column noticed_for timestamptz;
create index subscriptions_unnoticed on subscriptions (site_id, state, current_period_ends_at, id)
  where state in ('trialing', 'active') and noticed_for is distinct from current_period_ends_at
    and deleted_at is null and parked_reason is null;

create index payment_profiles_by_expiry on payment_profiles (site_id, (expiration_year * 12 + expiration_month), id) where deleted_at is null;

-- Notices of expiring cards go out on certain days: through which they went out, and how far the one under way has come.
create table card_notice_runs (
  site_id bigint primary key references sites (id),
  through timestamptz not null,
  running_at timestamptz,
  after_id bigint not null default 0
);
