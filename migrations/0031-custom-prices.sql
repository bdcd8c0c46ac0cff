-- Prices of one subscription alone: versions of its product that are sold to nobody else, numbered far above those of the catalog.

create sequence custom_prices_id_seq as integer start with 500001;

alter table product_versions
  add column subscription_id bigint,
  add column price_name text,
  add column price_handle text,
  add constraint a_custom_price_is_numbered_apart check ((subscription_id is null) = (version_number <= 500000));
