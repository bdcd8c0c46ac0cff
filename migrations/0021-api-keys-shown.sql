-- API keys are listed and revoked: each has an id, what it can be told by, and when it was last used.

create sequence api_keys_id_seq start with 500001;
alter table api_keys
  add column id bigint not null default nextval('api_keys_id_seq'),
  add column name text,
  -- The first characters of the key; null for keys from before these were kept.
  add column prefix text,
  -- By the wall clock, to the hour.
  add column last_used_at timestamptz,
  -- A revoked key stays, so that the same text opens nothing ever again.
  add column revoked_at timestamptz,
  add constraint an_api_key_has_one_id unique (site_id, id);
alter table api_keys alter column id drop default;
