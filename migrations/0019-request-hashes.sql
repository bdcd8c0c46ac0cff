-- A refusal is kept as an answer too, and requests are recognised by hashes that say nothing without the secret key.

-- The hashes so far were of whole requests, card numbers included, and can be made anew from nothing that is kept.
delete from idempotency_keys;
update payment_attempts set request_hash = null where request_hash is not null;

-- How the request ended: an answer, a refusal, or one that may still turn out otherwise; null while it is being worked on.
alter table idempotency_keys add column outcome text,
  add constraint an_outcome_of_a_request_is_known check (outcome in ('answered', 'refused', 'pending')),
  add constraint a_request_that_ended_has_its_answer check ((outcome is null) = (answer is null));
