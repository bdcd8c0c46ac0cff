-- What periods of another length took since the anchor, so that a product change never loses its day of the month.

alter table subscriptions
  add column anchor_elapsed_months integer not null default 0,
  add column anchor_elapsed_days integer not null default 0;
