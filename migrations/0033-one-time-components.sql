-- Components that are charged once: when they are allocated, or with the next assessment that charges, and then no more.

alter table components add column recurring boolean not null default true;
alter table components add constraint only_quantities_are_charged_once check (recurring or kind = 'quantity_based_component');
