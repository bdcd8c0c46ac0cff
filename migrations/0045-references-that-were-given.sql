-- Most subscriptions have no reference, and every change of one would enter that it has none: only what was given is held apart.
drop index a_reference_names_one_subscription;
create unique index a_reference_names_one_subscription on subscriptions (site_id, reference)
  where reference is not null and deleted_at is null;
