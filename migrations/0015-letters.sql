-- What customers and merchants are written to about, and what of it was sent.

create table letter_settings (
  site_id bigint primary key references sites (id),
  -- Kinds of letters that the site does not send.
  switched_off text[] not null,
  from_name text,
  from_email text,
  reply_to text,
  -- Where the merchant is written to; null means the address for support.
  merchant_email text,
  updated_at timestamptz not null
);

create sequence letters_id_seq start with 500001;
create table letters (
  site_id bigint not null,
  id bigint not null default nextval('letters_id_seq'),
  kind text not null,
  -- Null for a letter to the merchant.
  customer_id bigint,
  subscription_id bigint,
  -- The payment that it tells of.
  transaction_id bigint,
  -- What only the moment of writing knows: amounts and dates that were announced.
  details jsonb not null,
  -- By the site's clock, as is the moment of sending.
  created_at timestamptz not null,
  sent_at timestamptz,
  -- Where it went; null until then.
  recipient text,
  subject text,
  attempts integer not null default 0,
  last_error text,
  -- When it is due, by the wall clock; whoever sends it puts this off first, so that nobody else does meanwhile. Null when it is over.
  next_attempt_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, customer_id) references customers (site_id, id),
  constraint who_is_no_customer_is_the_merchant check (
    (customer_id is null) = (kind in ('webhook_endpoint_failing', 'webhook_endpoint_recovered', 'subscription_parked'))),
  constraint a_sent_letter_is_over check (sent_at is null or (next_attempt_at is null and recipient is not null))
) with (fillfactor = 80);
create index letters_due on letters (site_id, next_attempt_at, id) where next_attempt_at is not null;
-- Tells whether the merchant was told the same a short while ago.
create index letters_to_the_merchant on letters (site_id, kind, created_at) where customer_id is null;
create index letters_of_a_customer on letters (site_id, customer_id, id);
