-- What is kept of a customer for others: the language, why no tax is taken, and the record in a sales system. The language of a subscription is
-- that of its customer.

alter table customers
  add column locale text,
  add column tax_exempt_reason text,
  add column salesforce_id text;
alter table subscriptions drop column locale;
