-- What is for sale: families, products, and the versions of a product's price that subscriptions are held to.

create sequence product_families_id_seq start with 500001;
create table product_families (
  site_id bigint not null references sites (id),
  id bigint not null default nextval('product_families_id_seq'),
  name text not null,
  handle text,
  description text,
  accounting_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  constraint a_family_handle_is_unique_in_its_site unique (site_id, handle)
);

create sequence products_id_seq start with 500001;
create table products (
  site_id bigint not null,
  id bigint not null default nextval('products_id_seq'),
  product_family_id bigint not null,
  name text not null,
  handle text,
  description text,
  accounting_code text,
  request_credit_card boolean not null default true,
  require_credit_card boolean not null default true,
  taxable boolean not null default false,
  tax_code text,
  require_billing_address boolean not null default false,
  request_billing_address boolean not null default false,
  require_shipping_address boolean not null default false,
  request_shipping_address boolean not null default false,
  return_url text,
  return_params text,
  update_return_url text,
  update_return_params text,
  version_number integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, product_family_id) references product_families (site_id, id),
  constraint a_product_handle_is_unique_in_its_site unique (site_id, handle)
);
create index products_of_a_family on products (site_id, product_family_id, id);

-- Terms never change: a new price is a new version, and a subscription stays with the version that it was sold.
create table product_versions (
  site_id bigint not null,
  product_id bigint not null,
  version_number integer not null,
  price_in_cents bigint not null,
  interval_count integer not null,
  interval_unit text not null,
  initial_charge_in_cents bigint not null default 0,
  initial_charge_after_trial boolean not null default false,
  trial_price_in_cents bigint,
  trial_interval integer,
  trial_interval_unit text,
  trial_type text,
  expiration_interval integer,
  expiration_interval_unit text not null default 'never',
  created_at timestamptz not null,
  primary key (site_id, product_id, version_number),
  foreign key (site_id, product_id) references products (site_id, id),
  constraint prices_are_never_negative check (price_in_cents >= 0 and initial_charge_in_cents >= 0 and trial_price_in_cents >= 0),
  constraint periods_have_a_length check (interval_count > 0 and interval_unit in ('day', 'month')),
  constraint a_trial_has_price_length_and_unit check (
    (trial_interval is null) = (trial_price_in_cents is null)
    and (trial_interval is null or (trial_interval > 0 and trial_interval_unit in ('day', 'month')))),
  constraint a_trial_type_is_known check (trial_type in ('no_obligation', 'payment_expected')),
  constraint an_expiration_has_a_length check (
    (expiration_interval_unit = 'never') = (expiration_interval is null) and expiration_interval_unit in ('day', 'month', 'never'))
);
