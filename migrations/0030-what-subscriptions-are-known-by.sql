-- What a merchant says of a subscription beside its terms: his own name for it, the days until an invoice is due, and how its customer
-- is written to. Null is nothing said.

alter table subscriptions
  add column reference text,
  add column net_terms integer,
  add column receives_invoice_emails boolean,
  add column locale text,
  add constraint net_terms_are_days check (net_terms between 0 and 3650);
create unique index a_reference_names_one_subscription on subscriptions (site_id, reference) where deleted_at is null;
