-- What one subscription alone pays for a component: pricing_scheme, unit_price and prices as the component has them, decimals as text.
alter table subscription_components add column custom_price jsonb;
