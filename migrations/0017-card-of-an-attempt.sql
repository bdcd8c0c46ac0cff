-- A payment names the card that was asked for it, also when the subscription has another one by the time of the answer.
alter table payment_attempts
  add column card_number text,
  add column card_expiration text,
  add column card_type text;

-- What is open already is told by the card that it asks, which its token names.
update payment_attempts a set card_number = p.masked_card_number, card_type = p.card_type,
  card_expiration = lpad(p.expiration_month::text, 2, '0') || '/' || p.expiration_year
from payment_profiles p
where a.settled_at is null and p.site_id = a.site_id and p.vault_token = a.vault_token and p.current_vault = a.gateway;
