-- What can be added to a product, how much of it each subscription has, and every change and use of it.

create sequence components_id_seq start with 500001;
create table components (
  site_id bigint not null,
  id bigint not null default nextval('components_id_seq'),
  product_family_id bigint not null,
  name text not null,
  handle text,
  description text,
  unit_name text not null,
  kind text not null,
  pricing_scheme text,
  unit_price numeric,
  taxable boolean not null default false,
  allow_fractional_quantities boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, product_family_id) references product_families (site_id, id),
  constraint a_component_handle_is_unique_in_its_site unique (site_id, handle),
  constraint a_component_kind_is_known check (kind in ('metered_component', 'quantity_based_component', 'on_off_component')),
  constraint a_pricing_scheme_is_known check (pricing_scheme in ('per_unit', 'volume', 'tiered', 'stairstep')),
  constraint a_switch_has_one_price check (kind <> 'on_off_component' or (pricing_scheme is null and unit_price is not null)),
  constraint a_unit_price_is_never_negative check (unit_price >= 0)
);
create index components_of_a_family on components (site_id, product_family_id, id);
create unique index a_component_name_is_unique_in_its_family on components (site_id, product_family_id, name) where archived_at is null;

create table price_brackets (
  site_id bigint not null,
  component_id bigint not null,
  starting_quantity bigint not null,
  ending_quantity bigint,
  unit_price numeric not null,
  primary key (site_id, component_id, starting_quantity),
  foreign key (site_id, component_id) references components (site_id, id),
  constraint a_bracket_ends_after_it_starts check (ending_quantity >= starting_quantity),
  constraint a_bracket_price_is_never_negative check (unit_price >= 0)
);

-- quantity is what is allocated (1 or 0 for a switch); unit_balance is metered usage that is not billed yet.
create table subscription_components (
  site_id bigint not null,
  subscription_id bigint not null,
  component_id bigint not null,
  quantity numeric not null default 0,
  unit_balance numeric not null default 0,
  -- What was billed so far, or dropped with a period that never was; with the unit balance it is the sum of all usage.
  billed_quantity numeric not null default 0,
  primary key (site_id, subscription_id, component_id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  foreign key (site_id, component_id) references components (site_id, id),
  constraint an_allocated_quantity_is_never_negative check (quantity >= 0)
);

create sequence allocations_id_seq start with 500001;
create table allocations (
  site_id bigint not null,
  id bigint not null default nextval('allocations_id_seq'),
  -- The first allocation of the same request.
  request_id bigint not null,
  subscription_id bigint not null,
  component_id bigint not null,
  quantity numeric not null,
  previous_quantity numeric not null,
  memo text,
  proration_upgrade_scheme text not null,
  proration_downgrade_scheme text not null,
  payment_attempt_id bigint,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, subscription_id, component_id) references subscription_components (site_id, subscription_id, component_id),
  constraint an_allocation_is_never_negative check (quantity >= 0 and previous_quantity >= 0)
);
create index allocations_of_a_component on allocations (site_id, subscription_id, component_id, id);
create index allocations_of_a_request on allocations (site_id, request_id, id);

create sequence usages_id_seq start with 500001;
create table usages (
  site_id bigint not null,
  id bigint not null default nextval('usages_id_seq'),
  subscription_id bigint not null,
  component_id bigint not null,
  quantity numeric not null,
  memo text,
  created_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, subscription_id, component_id) references subscription_components (site_id, subscription_id, component_id)
);
create index usages_of_a_component on usages (site_id, subscription_id, component_id, id);
