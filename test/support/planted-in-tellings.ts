/** What is planted in webhooks, letters, notices and the portal for the audit to find. */
import type { Plant } from './planted-differences.ts'

export const tellingPlants: readonly Plant[] = [
  [
    'webhooks: the sequences of the site and of each endpoint have no gaps',
    `insert into webhooks (site_id, id, endpoint_id, event, body, created_at, sequence, endpoint_sequence)
      select s.site_id, n, 1, 'test', '', now(), n, n from subscriptions s, unnest(array[1, 2, 4]) n where s.id = :ada`,
  ],
  [
    'webhooks: each attempt is on record, and the last one ended as the webhook says',
    `insert into webhooks (site_id, id, endpoint_id, event, body, created_at, sequence, endpoint_sequence, attempts)
      select s.site_id, 1, 1, 'test', '', now(), 1, 1, 1 from subscriptions s where s.id = :ada`,
  ],
  [
    'portal: each newest link is for a customer to whom the portal is open, and was made since it is',
    `insert into management_links (site_id, customer_id, key_id, base_url, fetch_count, created_at)
      select site_id, customer_id, 1, 'https://localhost', 1, created_at from subscriptions where id = :ada`,
  ],
  [
    'webhooks: each tells of an event of its own site and subscription, or is a test',
    `insert into webhooks (site_id, id, endpoint_id, event_id, event, subscription_id, body, created_at)
      select e.site_id, 1, 1, e.id, e.key, s.id, '', now() from events e, subscriptions s
      where s.id = :grace and e.key = 'signup_success' and e.subscription_id = :ada`,
  ],
  [
    'letters: each receipt is for a payment of its customer that succeeded',
    `update letters set transaction_id = (
        select min(id) from transactions where type = 'payment' and not success and subscription_id = :grace)
      where id = (select min(id) from letters where kind = 'receipt' and subscription_id = :grace)`,
  ],
  [
    'letters: no payment has two receipts',
    `insert into letters (site_id, kind, customer_id, subscription_id, transaction_id, details, created_at)
      select site_id, kind, customer_id, subscription_id, transaction_id, details, created_at from letters
      where id = (select min(id) from letters where kind = 'receipt' and subscription_id = :ada)`,
  ],
  [
    'portal: sessions and revocations are of customers of the site',
    `insert into portal_sessions (site_id, token_hash, customer_id, created_at, expires_at)
      select site_id, 'stray', 1, created_at, created_at from subscriptions where id = :ada`,
  ],
  [
    'events: the end of each period is announced at most once',
    `insert into events (site_id, key, message, subscription_id, created_at)
      select site_id, 'upcoming_renewal_notice', 'Soon', id, now() from subscriptions, generate_series(1, 2) where id = :ada`,
  ],
]
