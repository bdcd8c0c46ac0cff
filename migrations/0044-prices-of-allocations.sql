-- Whether the subscription paid a price of its own for the component from the allocation on; null in rows from before this was written down.
alter table allocations add column has_custom_price boolean;
