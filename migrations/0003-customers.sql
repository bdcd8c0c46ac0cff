-- Who pays, and the cards they pay with. A card is a token, a mask and an expiry; its number is never here.

create sequence customers_id_seq start with 500001;
create table customers (
  site_id bigint not null references sites (id),
  id bigint not null default nextval('customers_id_seq'),
  first_name text not null,
  last_name text not null,
  email text not null,
  cc_emails text,
  organization text,
  reference text,
  vat_number text,
  address text,
  address_2 text,
  city text,
  state text,
  zip text,
  country text,
  phone text,
  tax_exempt boolean not null default false,
  verified boolean not null default false,
  portal_customer_created_at timestamptz,
  portal_invite_last_sent_at timestamptz,
  portal_invite_last_accepted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  search tsvector not null generated always as (
    to_tsvector('simple', translate(
      first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(organization, '') || ' ' || coalesce(reference, ''),
      '@.-_+/:', '       '))) stored,
  primary key (site_id, id)
);
-- A deleted customer gives the reference back.
create unique index a_reference_names_one_customer on customers (site_id, reference) where deleted_at is null;
create index customers_by_words on customers using gin (search) where deleted_at is null;

create sequence payment_profiles_id_seq start with 500001;
create table payment_profiles (
  site_id bigint not null,
  id bigint not null default nextval('payment_profiles_id_seq'),
  customer_id bigint not null,
  first_name text,
  last_name text,
  card_type text,
  last_four text,
  masked_card_number text,
  expiration_month integer,
  expiration_year integer,
  current_vault text not null,
  vault_token text not null,
  customer_vault_token text,
  billing_address text,
  billing_address_2 text,
  billing_city text,
  billing_state text,
  billing_zip text,
  billing_country text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, customer_id) references customers (site_id, id),
  constraint a_mask_shows_four_digits_at_most check (masked_card_number ~ '^(XXXX-)*[0-9]{1,4}$'),
  constraint a_month_is_a_month check (expiration_month between 1 and 12)
);
create index payment_profiles_of_a_customer on payment_profiles (site_id, customer_id, id) where deleted_at is null;
