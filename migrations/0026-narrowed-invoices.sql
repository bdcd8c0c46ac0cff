-- What lists of invoices are narrowed and ordered by. A line names its product, so that those of one are found by an index.

alter table invoice_lines add column product_id bigint;
update invoice_lines l set product_id = t.product_id
  from transactions t where t.site_id = l.site_id and t.id = l.transaction_id;
alter table invoice_lines alter column product_id set not null;

create index invoice_lines_of_a_product on invoice_lines (site_id, product_id, invoice_id);
create index invoices_of_a_customer on invoices (site_id, customer_id, created_at desc, id desc);
create index invoices_by_change on invoices (site_id, updated_at, id);
create index invoices_by_payment on invoices (site_id, paid_at, id) where paid_at is not null;
create index invoices_by_total on invoices (site_id, total_in_cents, id);
create index invoices_by_what_is_due on invoices (site_id, due_in_cents, id);
