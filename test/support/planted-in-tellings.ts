/** What is planted in webhooks, letters, notices and the portal for the audit to find. */
import type { Plant } from './planted-differences.ts'

/** An endpoint 1, and how many webhooks it and the site have numbered. */
const numbering = ({ site, endpoint }: { site: number; endpoint: number }): string[] => [
  `insert into webhook_settings (site_id, numbered) select site_id, ${site} from subscriptions where id = :ada`,
  `insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, numbered, created_at, updated_at)
    select site_id, 1, '', '{}', '', ${endpoint}, now(), now() from subscriptions where id = :ada`,
]

type Numbered = { id: number; sequence: number; endpointSequence: number }
const webhook = ({ id, sequence, endpointSequence }: Numbered): string =>
  `insert into webhooks (site_id, id, endpoint_id, event, body, created_at, sequence, endpoint_sequence)
    select site_id, ${id}, 1, 'test', '', now(), ${sequence}, ${endpointSequence} from subscriptions where id = :ada`

export const tellingPlants: readonly Plant[] = [
  [
    'webhooks: no number of a site or of an endpoint is given twice',
    ...numbering({ site: 2, endpoint: 2 }),
    webhook({ id: 1, sequence: 1, endpointSequence: 2 }),
    webhook({ id: 2, sequence: 2, endpointSequence: 2 }),
  ],
  [
    'webhooks: each has numbers that its site and its endpoint have given',
    ...numbering({ site: 1, endpoint: 1 }),
    webhook({ id: 1, sequence: 2, endpointSequence: 1 }),
  ],
  [
    'webhooks: each number that a site or an endpoint gave is on record or was forgotten',
    ...numbering({ site: 3, endpoint: 2 }),
    webhook({ id: 1, sequence: 3, endpointSequence: 2 }),
    `update webhook_settings set forgotten = 2`,
  ],
  [
    'webhooks: each attempt is on record, and the last one ended as the webhook says',
    `insert into webhooks (site_id, id, endpoint_id, event, body, created_at, attempts)
      select s.site_id, 1, 1, 'test', '', now(), 1 from subscriptions s where s.id = :ada`,
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
