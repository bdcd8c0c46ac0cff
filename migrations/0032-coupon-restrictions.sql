-- Coupons that are good for some products and components only: `[{"id", "itemType", "itemId"}]`, and none is good for all of the family.
create sequence coupon_restrictions_id_seq start with 500001;

alter table coupons
  add column restrictions jsonb not null default '[]',
  add constraint a_restricted_coupon_leaves_no_credit check (restrictions = '[]' or not allow_negative_balance);
