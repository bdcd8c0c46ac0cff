-- What lists of customers and coupons are narrowed by. Families, products and components are few on each site and read through.

create index customers_by_creation on customers (site_id, created_at, id) where deleted_at is null;
create index customers_by_change on customers (site_id, updated_at, id) where deleted_at is null;
create index coupons_by_creation on coupons (site_id, created_at, id);
create index coupons_by_change on coupons (site_id, updated_at, id);
create index coupons_of_a_code on coupon_codes (site_id, code, coupon_id);
