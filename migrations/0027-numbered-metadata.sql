-- Each value of a metafield has a number of its own, under which clients know it.

create sequence metadata_id_seq start with 500001;
alter table metadata add column id bigint not null default nextval('metadata_id_seq');
