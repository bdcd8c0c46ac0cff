-- Gateways that fail themselves are told of to the merchant, once when it begins and once when it ends.
create table gateway_health (
  site_id bigint not null references sites (id),
  gateway text not null,
  -- By the wall clock; null while nothing is told.
  failing_since timestamptz,
  -- The first error since the gateway last decided on a payment, by the site's clock.
  errors_since timestamptz,
  -- The subscriptions that met an error since then; a few are enough to tell.
  suspect_ids bigint[] not null,
  -- Those that met one while others were decided on: their errors say nothing of the gateway.
  odd_ids bigint[] not null,
  primary key (site_id, gateway)
);

alter table letters
  drop constraint who_is_no_customer_is_the_merchant,
  add constraint who_is_no_customer_is_the_merchant check (
    (customer_id is null) = (kind in ('webhook_endpoint_failing', 'webhook_endpoint_recovered', 'subscription_parked',
      'gateway_failing', 'gateway_recovered')));
