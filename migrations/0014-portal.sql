-- The portal is what a site shows to its own customers: what it lets them do, the signed links that lead there, and who is looking.

create table portal_settings (
  site_id bigint primary key references sites (id),
  may_change_card boolean not null,
  may_change_product boolean not null,
  product_change text not null,
  may_cancel_at_once boolean not null,
  may_cancel_at_period_end boolean not null,
  may_reactivate boolean not null,
  may_pay boolean not null,
  may_edit_address boolean not null,
  accent_color text not null,
  logo_text text,
  support_email text,
  terms text,
  -- Where customers reach this service; a link that was asked for through another address begins with that one otherwise.
  base_url text,
  updated_at timestamptz not null,
  constraint products_change_in_a_known_way check (product_change in ('at_renewal', 'now')),
  constraint an_accent_is_a_color check (accent_color ~ '^#[0-9a-f]{6}$')
);

-- Links are signed with these, sealed. A link names its key, and the key its site, so this table is looked up without one.
create sequence link_keys_id_seq start with 500001;
create table link_keys (
  id bigint primary key default nextval('link_keys_id_seq'),
  site_id bigint not null references sites (id),
  sealed_key text not null,
  created_at timestamptz not null
);
create index link_keys_of_a_site on link_keys (site_id, id);

-- The newest link of each customer; older ones are valid by their signature alone.
create table management_links (
  site_id bigint not null,
  customer_id bigint not null,
  key_id bigint not null,
  base_url text not null,
  fetch_count integer not null,
  created_at timestamptz not null,
  primary key (site_id, customer_id),
  foreign key (site_id, customer_id) references customers (site_id, id),
  constraint a_link_is_fetched_fifteen_times_at_most check (fetch_count between 1 and 15)
);

-- Customers to whom the portal was closed, and who so get in only by links that are made after it is opened again.
create table portal_revocations (
  site_id bigint not null,
  customer_id bigint not null,
  revoked_at timestamptz not null,
  primary key (site_id, customer_id),
  foreign key (site_id, customer_id) references customers (site_id, id)
);

-- Whose browser is let in. Its token is a cookie there and a hash here; times are those of the wall clock.
create table portal_sessions (
  site_id bigint not null,
  token_hash text not null,
  customer_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (site_id, token_hash),
  foreign key (site_id, customer_id) references customers (site_id, id)
);
create index portal_sessions_of_a_customer on portal_sessions (site_id, customer_id);

-- How often somebody did what may be done so often in a stretch of wall time.
create table rate_counts (
  site_id bigint not null references sites (id),
  kind text not null,
  subject text not null,
  began_at timestamptz not null,
  count integer not null,
  primary key (site_id, kind, subject)
);

create index customers_enabled_but_not_invited on customers (site_id)
  where portal_customer_created_at is not null and portal_invite_last_sent_at is null and deleted_at is null;
