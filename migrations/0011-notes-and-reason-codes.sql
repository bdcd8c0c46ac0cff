-- What merchants write down about subscriptions, and the reasons for which their customers leave.

create sequence notes_id_seq start with 500001;
create table notes (
  site_id bigint not null,
  id bigint not null default nextval('notes_id_seq'),
  subscription_id bigint not null,
  body text not null,
  sticky boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id)
);
create index notes_of_a_subscription on notes (site_id, subscription_id, id);

create sequence reason_codes_id_seq start with 500001;
create table reason_codes (
  site_id bigint not null references sites (id),
  id bigint not null default nextval('reason_codes_id_seq'),
  code text not null,
  description text not null,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (site_id, id),
  constraint a_reason_code_is_unique_in_its_site unique (site_id, code)
);
