-- Invoices: documents with a number and a state, each a snapshot of what it was made from.

-- What stands at the head of a site's invoices.
create table sellers (
  site_id bigint primary key references sites (id),
  address text,
  address_2 text,
  city text,
  state text,
  zip text,
  vat_number text,
  -- Names a row of site_logos.
  logo_digest text,
  invoice_page_size text not null default 'A4',
  constraint a_page_size_is_known check (invoice_page_size in ('A4', 'Letter'))
);

-- Under the digest of its bytes: an invoice goes on showing the logo that it was made with.
create table site_logos (
  site_id bigint not null references sites (id),
  digest text not null,
  media_type text not null,
  data bytea not null,
  primary key (site_id, digest),
  constraint a_logo_is_an_image check (media_type in ('image/png', 'image/svg+xml', 'image/jpeg')),
  constraint a_logo_is_small check (length(data) <= 204800)
);

-- The last number that was given; a transaction that is undone gives its numbers back with it. Without a foreign key: who draws a
-- number holds locks already and must not wait for the site, which whoever empties it has locked.
create table invoice_counters (
  site_id bigint primary key,
  last_number bigint not null
);

create sequence invoices_id_seq start with 500001;
create table invoices (
  site_id bigint not null,
  id bigint not null,
  number bigint not null,
  subscription_id bigint not null,
  customer_id bigint not null,
  statement_id bigint,
  state text not null,
  -- The sum of the charges.
  total_in_cents bigint not null,
  -- What the subscriber had in credit when it was made.
  credit_in_cents bigint not null,
  due_in_cents bigint not null,
  paid_at timestamptz,
  -- Seller and buyer, product, currency and zone as they were.
  snapshot jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  constraint a_number_is_given_once unique (site_id, number),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  constraint a_state_of_an_invoice_is_known check (state in ('unpaid', 'partial', 'paid', 'archived')),
  constraint nothing_due_is_paid check (state = 'archived' or (state = 'paid') = (due_in_cents = 0)),
  constraint it_is_known_when_nothing_was_due check ((paid_at is not null) = (due_in_cents = 0)),
  constraint amounts_of_an_invoice_are_not_negative check (total_in_cents >= 0 and credit_in_cents >= 0 and due_in_cents >= 0)
) with (fillfactor = 80);
create index invoices_of_a_subscription on invoices (site_id, subscription_id, id);
create index invoices_newest_first on invoices (site_id, created_at desc, id desc);
create index invoices_of_a_state on invoices (site_id, state, created_at desc, id desc);
create index invoices_with_something_due on invoices (site_id, subscription_id, id) where due_in_cents > 0;

-- The charges of an invoice, in the order of the ledger. They are written before the invoice, whose number is drawn last of all; so there is
-- no foreign key to it, and the audit looks instead.
create table invoice_lines (
  site_id bigint not null,
  invoice_id bigint not null,
  transaction_id bigint not null,
  product_name text not null,
  component_name text,
  period_started_at timestamptz,
  period_ends_at timestamptz,
  primary key (site_id, invoice_id, transaction_id),
  constraint a_charge_is_on_one_invoice unique (site_id, transaction_id)
);

-- What lowered the amount due: payments, credits and discounts, or the part of them that fell on this invoice.
create table invoice_entries (
  site_id bigint not null,
  invoice_id bigint not null,
  transaction_id bigint not null,
  amount_in_cents bigint not null,
  constraint an_entry_is_listed_once primary key (site_id, invoice_id, transaction_id),
  constraint an_entry_lowers_what_is_due check (amount_in_cents >= 0)
);
create index invoice_entries_of_a_transaction on invoice_entries (site_id, transaction_id);
