-- The host names of a company's own under which a site is served: such a name opens that site and no other.

create table site_hosts (
  site_id bigint not null references sites (id),
  host text not null,
  constraint a_host_names_one_site primary key (host)
);
create index hosts_of_a_site on site_hosts (site_id);
