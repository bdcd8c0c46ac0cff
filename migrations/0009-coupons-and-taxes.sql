-- What is taken off, and what is put on top.

create sequence coupons_id_seq start with 500001;
create table coupons (
  site_id bigint not null,
  id bigint not null default nextval('coupons_id_seq'),
  product_family_id bigint not null,
  name text not null,
  code text not null,
  description text not null,
  amount_in_cents bigint,
  percentage numeric,
  recurring boolean not null default false,
  duration_period_count integer,
  allow_negative_balance boolean not null default false,
  start_date timestamptz,
  end_date timestamptz,
  conversion_limit integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, product_family_id) references product_families (site_id, id),
  constraint a_coupon_takes_an_amount_or_a_percentage check ((amount_in_cents is null) <> (percentage is null)),
  constraint a_percentage_is_a_percentage check (percentage between 1 and 100),
  constraint an_amount_off_is_never_negative check (amount_in_cents >= 0),
  constraint a_coupon_lasts_a_period_at_least check (duration_period_count > 0),
  constraint a_redemption_limit_allows_something check (conversion_limit > 0)
);
create index coupons_of_a_family on coupons (site_id, product_family_id, id);

-- Every code by which a coupon may be asked for: its own, and its subcodes.
create table coupon_codes (
  site_id bigint not null,
  product_family_id bigint not null,
  code text not null,
  coupon_id bigint not null,
  is_subcode boolean not null default true,
  created_at timestamptz not null,
  constraint a_code_names_one_coupon_of_its_family primary key (site_id, product_family_id, code),
  foreign key (site_id, coupon_id) references coupons (site_id, id)
);
create index codes_of_a_coupon on coupon_codes (site_id, coupon_id, code);

-- Each time a coupon was put on a subscription; redemption limits count these.
create sequence coupon_redemptions_id_seq start with 500001;
create table coupon_redemptions (
  site_id bigint not null,
  id bigint not null default nextval('coupon_redemptions_id_seq'),
  coupon_id bigint not null,
  code text not null,
  subscription_id bigint not null,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, coupon_id) references coupons (site_id, id)
);
create index redemptions_of_a_code on coupon_redemptions (site_id, coupon_id, code);
create index coupon_rows on transactions (site_id, coupon_id) where coupon_id is not null;

create sequence taxes_id_seq start with 500001;
create table taxes (
  site_id bigint not null references sites (id),
  id bigint not null default nextval('taxes_id_seq'),
  name text not null,
  rate numeric not null,
  country text not null,
  state text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (site_id, id),
  constraint a_rate_is_a_percentage check (rate between 0 and 100)
);

-- What falls of each tax on each charge; the ledger has one row for all that falls of a tax on one assessment.
create table taxations (
  site_id bigint not null,
  charge_id bigint not null,
  tax_charge_id bigint not null,
  tax_id bigint not null,
  tax_name text not null,
  rate numeric not null,
  amount_in_cents bigint not null,
  primary key (site_id, charge_id, tax_id),
  foreign key (site_id, charge_id) references transactions (site_id, id),
  foreign key (site_id, tax_charge_id) references transactions (site_id, id),
  foreign key (site_id, tax_id) references taxes (site_id, id)
);
