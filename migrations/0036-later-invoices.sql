-- Invoices in the later form: whether a site shows them, and how a payment from elsewhere was made.

alter table sites add column relationship_invoicing_enabled boolean not null default false;

-- What was said of a payment that came past every gateway; the row of the ledger has its memo.
create table external_payments (
  site_id bigint not null,
  transaction_id bigint not null,
  method text not null,
  details text,
  -- A day of the site's calendar, as it was given.
  received_on text,
  primary key (site_id, transaction_id),
  foreign key (site_id, transaction_id) references transactions (site_id, id),
  constraint a_method_is_known check (method in ('credit_card', 'check', 'cash', 'money_order', 'ach', 'other'))
);

-- Statements that gather something now: what was charged in the middle of a period is listed before the period is over.
create index subscriptions_gathering on subscriptions (site_id, id) where open_statement_total_in_cents <> 0;
