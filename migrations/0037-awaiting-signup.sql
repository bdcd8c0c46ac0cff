-- Sign-ups that begin later: their subscription exists, and nothing of it is charged before its first billing.
alter table subscriptions add column initial_billing_at timestamptz;
alter table subscriptions drop constraint a_state_is_known;
alter table subscriptions add constraint a_state_is_known check (state in
  ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid', 'canceled', 'expired', 'trial_ended', 'on_hold', 'awaiting_signup'));
alter table subscriptions add constraint only_an_awaiting_one_begins check (initial_billing_at is null or state = 'awaiting_signup');
drop index subscriptions_due;
create index subscriptions_due on subscriptions (site_id, next_assessment_at, id)
  where (state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') or automatically_resume_at is not null
      or initial_billing_at is not null)
    and deleted_at is null and parked_reason is null;
alter table payment_attempts drop constraint a_reason_is_known;
alter table payment_attempts add constraint a_reason_is_known check (reason in
  ('signup', 'activation', 'renewal', 'retry', 'reactivation', 'card_update', 'charge', 'allocation', 'migration', 'resumption', 'refund'));
