-- Several coupons on a subscription: each takes off in its place, and has its own uses.

create table subscription_coupons (
  site_id bigint not null,
  subscription_id bigint not null,
  coupon_id bigint not null,
  place integer not null,
  -- By which it came: the coupon's own code, or a subcode.
  code text not null,
  use_count integer not null,
  -- Null is for good.
  uses_allowed integer,
  constraint a_coupon_is_on_a_subscription_once primary key (site_id, subscription_id, coupon_id),
  foreign key (site_id, subscription_id) references subscriptions (site_id, id),
  foreign key (site_id, coupon_id) references coupons (site_id, id),
  constraint a_use_is_counted_up check (use_count >= 0)
) with (fillfactor = 70);
create index subscriptions_with_a_coupon on subscription_coupons (site_id, coupon_id, subscription_id);

insert into subscription_coupons (site_id, subscription_id, coupon_id, place, code, use_count, uses_allowed)
select s.site_id, s.id, s.coupon_id, 1, coalesce(s.coupon_code, c.code), s.coupon_use_count, s.coupon_uses_allowed
from subscriptions s join coupons c on c.site_id = s.site_id and c.id = s.coupon_id;

alter table subscriptions
  drop column coupon_id, drop column coupon_code, drop column coupon_use_count, drop column coupon_uses_allowed;

alter table coupons
  add column stackable boolean not null default true,
  add column compounding_strategy text not null default 'compound',
  add constraint a_compounding_strategy_is_known check (compounding_strategy in ('compound', 'full-price'));

-- What was priced and waits for its payment names the coupons that it uses in a list.
update payment_attempts set intent = jsonb_set(intent #- '{plan,usedCouponId}', '{plan,usedCouponIds}',
  jsonb_path_query_array(intent, '$.plan.usedCouponId ? (@ != null)'))
where settled_at is null and intent -> 'plan' ? 'usedCouponId';
update payment_attempts set intent = jsonb_set(intent #- '{period,usedCouponId}', '{period,usedCouponIds}',
  jsonb_path_query_array(intent, '$.period.usedCouponId ? (@ != null)'))
where settled_at is null and intent -> 'period' ? 'usedCouponId';
