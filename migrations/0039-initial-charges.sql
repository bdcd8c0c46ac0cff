-- A product without an initial charge has none, which is told from one of 0. Which zeros were given nobody knows: they count as none.

alter table product_versions
  alter column initial_charge_in_cents drop not null,
  alter column initial_charge_in_cents drop default;
update product_versions set initial_charge_in_cents = null where initial_charge_in_cents = 0;
