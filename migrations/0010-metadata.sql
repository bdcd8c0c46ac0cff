-- Fields that merchants add to their customers and subscriptions, and what stands in them.

create sequence metafields_id_seq start with 500001;
create table metafields (
  site_id bigint not null references sites (id),
  id bigint not null default nextval('metafields_id_seq'),
  resource_type text not null,
  name text not null,
  input_type text not null,
  -- The values to choose from; null where any text will do.
  choices jsonb,
  scope jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  constraint a_metafield_name_is_unique_in_its_site unique (site_id, resource_type, name),
  constraint a_metafield_is_of_customers_or_subscriptions check (resource_type in ('customer', 'subscription')),
  constraint an_input_type_is_known check (input_type in ('text', 'radio', 'dropdown', 'balance_tracker'))
);

create table metadata (
  site_id bigint not null,
  resource_type text not null,
  resource_id bigint not null,
  metafield_id bigint not null,
  value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- So that nothing is said of a customer or a subscription that does not exist.
  customer_id bigint generated always as (case resource_type when 'customer' then resource_id end) stored,
  subscription_id bigint generated always as (case resource_type when 'subscription' then resource_id end) stored,
  constraint a_resource_has_one_value_of_a_metafield primary key (site_id, resource_type, resource_id, metafield_id),
  foreign key (site_id, metafield_id) references metafields (site_id, id),
  foreign key (site_id, customer_id) references customers (site_id, id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  constraint a_value_takes_two_kilobytes_at_most check (octet_length(value) <= 2048),
  constraint metadata_is_of_customers_or_subscriptions check (resource_type in ('customer', 'subscription'))
);
create index metadata_of_a_metafield on metadata (site_id, metafield_id);
create index metadata_of_a_customer on metadata (site_id, customer_id) where customer_id is not null;
create index metadata_of_a_subscription on metadata (site_id, subscription_id) where subscription_id is not null;
