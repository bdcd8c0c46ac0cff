-- Customers pay from bank accounts too. Of an account there are a token, masks, and at which bank it is; its number is never here.
alter table payment_profiles
  add column payment_type text not null default 'credit_card',
  add column bank_name text,
  add column bank_account_type text,
  add column bank_account_holder_type text,
  add column masked_bank_routing_number text,
  add column masked_bank_account_number text,
  add column verified boolean,
  add constraint a_profile_is_a_card_or_a_bank_account check (case payment_type
    when 'credit_card' then num_nonnulls(bank_name, bank_account_type, bank_account_holder_type, masked_bank_routing_number,
      masked_bank_account_number, verified) = 0
    when 'bank_account' then num_nonnulls(card_type, masked_card_number, expiration_month, expiration_year) = 0
      and num_nulls(bank_account_type, bank_account_holder_type, masked_bank_account_number, verified) = 0
    else false end),
  add constraint a_bank_mask_shows_four_characters_at_most check (masked_bank_account_number ~ '^XXXX[0-9A-Z]{0,4}$'
    and masked_bank_routing_number ~ '^XXXX[0-9A-Z]{1,4}$');

-- What is on record already has the narrower form, so it need not be read again.
alter table transactions
  drop constraint a_card_number_is_masked,
  add constraint a_number_is_masked check (card_number ~ '^(XXXX-)*[0-9]{1,4}$|^XXXX[0-9A-Z]{0,4}$') not valid;
