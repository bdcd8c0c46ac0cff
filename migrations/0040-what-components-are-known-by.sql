-- What a merchant says of a component for its own books and tax returns; none of it changes a price.

alter table components add column accounting_code text;
alter table components add column tax_code text;
alter table components add column item_category text;
alter table components add column display_on_hosted_page boolean not null default true;
-- Whether anybody has a component is asked before its price is changed.
create index subscriptions_with_a_component on subscription_components (site_id, component_id);
