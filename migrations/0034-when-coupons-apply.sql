-- What coupons leave out, and what they are to take part in once something is billed when a subscription ends.
alter table coupons
  add column exclude_mid_period_allocations boolean not null default false,
  add column apply_on_cancel_at_end_of_period boolean not null default false,
  add column apply_on_subscription_expiration boolean not null default false;
