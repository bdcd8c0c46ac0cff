-- Standing agreements, and one row for each period that was ever begun.

create sequence subscriptions_id_seq start with 500001;
create table subscriptions (
  site_id bigint not null,
  id bigint not null,
  customer_id bigint not null,
  product_id bigint not null,
  product_version_number integer not null,
  payment_profile_id bigint,
  payment_collection_method text not null,
  state text not null,
  balance_in_cents bigint not null,
  total_revenue_in_cents bigint not null,
  -- Period p starts at the anchor plus (p - anchor_period_number) intervals, counted in the anchor's zone.
  period_number integer not null,
  anchor_at timestamptz not null,
  anchor_time_zone text not null,
  anchor_period_number integer not null,
  current_period_started_at timestamptz not null,
  current_period_ends_at timestamptz not null,
  next_assessment_at timestamptz not null,
  retry_at timestamptz,
  dunning_attempts integer not null,
  -- Null exactly while no failed attempt is counted.
  dunning_since timestamptz,
  initial_charge_due boolean not null,
  trial_started_at timestamptz,
  trial_ended_at timestamptz,
  activated_at timestamptz,
  expires_at timestamptz,
  canceled_at timestamptz,
  cancellation_message text,
  cancellation_method text,
  reason_code text,
  cancel_at_end_of_period boolean,
  delayed_cancel_at timestamptz,
  signup_revenue_in_cents bigint not null,
  signup_payment_id bigint not null,
  -- What the open statement amounts to is kept here until it closes, so that a period costs one write of each row.
  open_statement_id bigint,
  open_statement_total_in_cents bigint not null,
  covered_through_id bigint not null,
  -- The payment attempt that is under way; nothing else is collected until it is settled.
  collecting_attempt_id bigint,
  coupon_id bigint,
  coupon_code text,
  coupon_use_count integer not null default 0,
  coupon_uses_allowed integer,
  snap_day text,
  next_product_id bigint,
  on_hold_at timestamptz,
  automatically_resume_at timestamptz,
  -- Null until an invoice is made for it; the charges up to this row are on invoices, or will never be.
  invoiced_through_id bigint,
  -- Why it could not be assessed, in words; nothing is due for it until an operator resumes it.
  parked_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, customer_id) references customers (site_id, id),
  foreign key (site_id, product_id, product_version_number) references product_versions (site_id, product_id, version_number),
  foreign key (site_id, payment_profile_id) references payment_profiles (site_id, id),
  constraint a_state_is_known check (state in
    ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid', 'canceled', 'expired', 'trial_ended', 'on_hold')),
  constraint a_method_is_known check (payment_collection_method in ('automatic', 'invoice')),
  constraint a_period_ends_after_it_starts check (current_period_ends_at > current_period_started_at),
  constraint only_a_held_one_resumes check (automatically_resume_at is null or state = 'on_hold')
) with (fillfactor = 70);
-- With the id, so that a set is claimed without sorting all that fall due at one moment, as imported subscriptions do.
create index subscriptions_due on subscriptions (site_id, next_assessment_at, id)
  where (state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') or automatically_resume_at is not null)
    and deleted_at is null and parked_reason is null;
-- Few at any time: they wait for an operator.
create index subscriptions_parked on subscriptions (site_id, id) where parked_reason is not null and deleted_at is null;
create index subscriptions_newest_first on subscriptions (site_id, created_at desc, id desc) where deleted_at is null;
-- Most are active, and are found at once among the newest; renewals of those write nothing here.
create index subscriptions_of_a_rare_state on subscriptions (site_id, state, created_at desc, id desc)
  where state <> 'active' and deleted_at is null;
create index subscriptions_of_a_customer on subscriptions (site_id, customer_id, id);

-- The unique number is what makes a second renewal of one period impossible.
create table periods (
  site_id bigint not null,
  subscription_id bigint not null,
  number integer not null,
  begun_by text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  assessed_at timestamptz not null,
  constraint a_period_is_begun_once primary key (site_id, subscription_id, number),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  constraint a_beginning_is_known check (begun_by in ('signup', 'renewal', 'reactivation', 'resumption', 'migration'))
);
