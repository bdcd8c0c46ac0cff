-- The ledger only grows: statements gather its rows, payment attempts say what a gateway was asked and what it answered.

create sequence statements_id_seq start with 500001;
create table statements (
  site_id bigint not null,
  id bigint not null,
  subscription_id bigint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  settled_at timestamptz,
  starting_balance_in_cents bigint not null,
  ending_balance_in_cents bigint,
  total_in_cents bigint not null,
  memo text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  constraint a_statement_is_closed_before_it_is_settled check (settled_at is null or closed_at is not null),
  constraint a_closed_statement_has_an_ending_balance check ((closed_at is null) = (ending_balance_in_cents is null))
) with (fillfactor = 80);
create index statements_of_a_subscription on statements (site_id, subscription_id, id);
create unique index one_open_statement_each on statements (site_id, subscription_id) where closed_at is null;
-- For lists of the whole site; what is not closed or settled yet has no place in their order.
create index statements_by_creation on statements (site_id, created_at, id);
create index statements_by_closing on statements (site_id, closed_at, id) where closed_at is not null;
create index statements_by_settlement on statements (site_id, settled_at, id) where settled_at is not null;
create index statements_unsettled on statements (site_id, subscription_id, id) where closed_at is not null and settled_at is null;

create sequence transactions_id_seq start with 500001;
create table transactions (
  site_id bigint not null,
  id bigint not null,
  subscription_id bigint not null,
  customer_id bigint not null,
  product_id bigint not null,
  statement_id bigint,
  period_number integer not null,
  type text not null,
  kind text,
  success boolean not null,
  amount_in_cents bigint not null,
  discount_amount_in_cents bigint not null default 0,
  taxable_amount_in_cents bigint not null default 0,
  memo text not null,
  starting_balance_in_cents bigint not null,
  ending_balance_in_cents bigint not null,
  payment_attempt_id bigint,
  component_id bigint,
  tax_id bigint,
  coupon_id bigint,
  -- A payment of the whole balance, or of particular charges, covers those of its subscription with a greater id than this, up to its own.
  covers_after_id bigint,
  -- The payment of which a refund gives something back.
  refunded_payment_id bigint,
  gateway_used text,
  gateway_transaction_id text,
  card_number text,
  card_expiration text,
  card_type text,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  constraint a_type_is_known check (type in ('charge', 'credit', 'adjustment', 'payment', 'refund', 'info')),
  constraint only_payments_and_refunds_fail check (success or type in ('payment', 'refund')),
  constraint a_row_moves_the_balance_as_its_type_says check (ending_balance_in_cents = starting_balance_in_cents + amount_in_cents *
    case when not success then 0 when type in ('charge', 'credit', 'adjustment') then 1 when type = 'payment' then -1 else 0 end),
  constraint charges_and_payments_are_positive check (type not in ('charge', 'payment', 'refund') or amount_in_cents >= 0),
  constraint only_refunds_give_payments_back check (refunded_payment_id is null or type = 'refund'),
  constraint credits_are_negative check (type <> 'credit' or amount_in_cents <= 0),
  constraint a_card_number_is_masked check (card_number ~ '^(XXXX-)*[0-9]{1,4}$')
);
create index transactions_of_a_subscription on transactions (site_id, subscription_id, id);
-- With the type, so that lists and counts of charges and payments need not look at other rows.
create index transactions_by_time on transactions (site_id, created_at, id) include (type);
-- The types that most periods do without, in either order of a list.
create index transactions_of_a_rare_type on transactions (site_id, type, id) where type not in ('charge', 'payment');
create index transactions_of_a_rare_type_by_time on transactions (site_id, type, created_at, id)
  where type not in ('charge', 'payment');

create sequence payment_attempts_id_seq start with 500001;
create table payment_attempts (
  site_id bigint not null,
  id bigint not null,
  -- A sign-up's attempt is on record before its subscription is, so there is no foreign key.
  subscription_id bigint not null,
  reason text not null,
  period_number integer not null,
  idempotency_key text not null,
  amount_in_cents bigint not null,
  gateway text not null,
  vault_token text,
  -- What the payment is for, as far as its reason does not say it.
  intent jsonb,
  -- The hash of the request that made it, where the request had a key: whoever repeats the request finds it by this.
  request_hash text,
  -- By the site's clock; the times of asking below are by the wall clock.
  created_at timestamptz not null,
  -- The process that is asking now; when its connection is gone, recovery takes over.
  asked_by bigint not null,
  asked_at timestamptz not null,
  next_check_at timestamptz not null,
  checks integer not null default 0,
  outcome text,
  outcome_message text,
  gateway_transaction_id text,
  voiding boolean not null default false,
  settled_at timestamptz,
  primary key (site_id, id),
  constraint a_key_is_used_once unique (site_id, idempotency_key),
  constraint a_reason_is_known check (reason in
    ('signup', 'renewal', 'retry', 'reactivation', 'card_update', 'charge', 'allocation', 'migration', 'resumption', 'refund')),
  constraint an_outcome_is_known check (outcome in ('approved', 'declined', 'error', 'unknown', 'voided')),
  constraint settled_says_how check (settled_at is null or outcome in ('approved', 'declined', 'error', 'voided'))
) with (fillfactor = 70);
create index payment_attempts_unsettled on payment_attempts (site_id, next_check_at) where settled_at is null;
create index payment_attempts_of_a_subscription on payment_attempts (site_id, subscription_id, id);
-- Finds the payment that covered a charge.
create index transactions_covering on transactions (site_id, subscription_id, id) where covers_after_id is not null;
-- Finds what was given back of a payment.
create index transactions_refunding on transactions (site_id, subscription_id, refunded_payment_id) where refunded_payment_id is not null;
