/** What may be said of an endpoint for webhooks. */
import type { EndpointTerms } from '../actions/save-endpoint.ts'
import { eventKeys } from '../billing/event.ts'
import {
  boolean,
  InputErrors,
  integer,
  listOf,
  object,
  oneOf,
  readInput,
  text,
  wrapped,
  wrappedChange,
} from '../wire/input.ts'
import { Problems } from './problems.ts'

/** The order of checks is that of the fields; whether a URL may be used is judged where it is saved. */
export const endpointInput = object({
  url: text('URL', { required: true, max: 2000 }),
  webhook_subscriptions: listOf('Webhook subscriptions', text('Event key', { required: true })),
  ordered: boolean('Ordered'),
  status: oneOf('Status', ['enabled', 'disabled']),
})

/** Keys that clients of this API know and that nothing here causes: they may be listened to. */
const silentKeys = [
  'test',
  'subscription_paypal_account_update',
  'account_transaction_changed',
  'delayed_signup_creation_failure',
  'prepaid_usage',
  'prepaid_subscription_balance_changed',
  'item_price_point_changed',
  'subscription_customer_change',
  'subscription_group_signup_success',
  'subscription_group_signup_failure',
  'subscription_group_card_update',
]

const known: ReadonlySet<string> = new Set<string>([...eventKeys, ...silentKeys])

/** Each key once, in the order of our list. */
function readKeys(keys: readonly string[] | null | undefined): readonly string[] | undefined {
  if (keys === undefined) return undefined
  const wanted = new Set((keys ?? []).map((key) => key.trim()))
  const unknown = [...wanted].filter((key) => !known.has(key))
  if (unknown.length > 0) throw new InputErrors(unknown.map((key) => `Event key is not valid - ${key.slice(0, 100)}`))
  return [...known].filter((key) => wanted.has(key))
}

/** Absent is left alone. Throws `InputErrors` with every problem at once. */
export function readEndpointChange(body: unknown, isNew: boolean): Partial<EndpointTerms> {
  const tree = isNew ? wrapped(body, 'endpoint') : wrappedChange(body, 'endpoint', 'Endpoint')
  const problems = new Problems()
  const schema = isNew ? endpointInput : endpointInput.partial()
  const sent = problems.gather(() => readInput(schema, tree)) ?? {}
  const eventKeys = problems.gather(() => readKeys(sent.webhook_subscriptions))
  problems.tell()
  return {
    ...(sent.url !== undefined && { url: sent.url.trim() }),
    ...(eventKeys !== undefined && { eventKeys }),
    ...(sent.ordered !== undefined && { ordered: sent.ordered ?? false }),
    ...(sent.status !== undefined && sent.status !== null && { status: sent.status }),
  }
}

/** One that names no keys is told of everything. */
export const readNewEndpoint = (body: unknown): EndpointTerms => {
  const { url, ...sent } = readEndpointChange(body, true)
  return { url: url!, eventKeys, ordered: false, status: 'enabled', ...sent }
}

const overlapHoursMax = 168
export const overlapInput = object({ overlap_in_hours: integer('Overlap', { min: 0, max: overlapHoursMax }) })

/** How long the secret until now signs too: a day unless something else is said. */
export const readOverlapHours = (body: unknown): number =>
  readInput(overlapInput, wrapped(body, 'rotation')).overlap_in_hours ?? 24
