-- The day on which an invoice is due: its day of issue, and so many days after it as the subscription gives.

alter table invoices add column due_at timestamptz;
update invoices set due_at = created_at;
alter table invoices alter column due_at set not null;
create index invoices_by_due_date on invoices (site_id, due_at, id);
