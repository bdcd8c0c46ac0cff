-- What lists of subscriptions are narrowed by.

create index subscriptions_with_a_code on subscription_coupons (site_id, code, subscription_id);
-- Those that pay by card are found at once among the newest.
create index subscriptions_paid_by_invoice on subscriptions (site_id, created_at desc, id desc)
  where payment_collection_method = 'invoice' and deleted_at is null;
-- Serves what the one that it replaces served.
create index metadata_by_value on metadata (site_id, metafield_id, value, resource_id);
drop index metadata_of_a_metafield;
