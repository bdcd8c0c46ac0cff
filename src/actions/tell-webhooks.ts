/** Writes a webhook for each event and each endpoint that wants to hear of it, in the transaction of the act that they tell of. */
import { assert } from '../billing/assert.ts'
import type { SiteEvent } from '../billing/event.ts'
import { isNotice, lettersOf } from '../billing/letter.ts'
import type { NewWebhook } from '../billing/webhook.ts'
import type { Transaction } from '../store/database.ts'
import { insertEvents } from '../store/events.ts'
import { defaultLetterSettings, findLetterSettings, insertLetters } from '../store/letters.ts'
import { findSite } from '../store/sites.ts'
import { subscribedCouponOf } from '../store/subscription-coupons.ts'
import { listToldRecords, type ToldIds, type ToldRecords } from '../store/told-records.ts'
import { drawWebhookIds, insertWebhooks, type Receiver } from '../store/webhooks.ts'
import { presentWebhookPayload, type Told } from '../views/webhook-payload.ts'
import { writeForm } from '../wire/form.ts'

type Numbered = SiteEvent & { id: number }

/** What stands for the site and its rows while webhooks are written. */
type Around = Pick<Told, 'site' | 'switchedOff'> & {
  records: ToldRecords
  previousStates: ReadonlyMap<number, string>
}

/**
 * Writes the events, and gives what writes their webhooks once every other row of the act is written: they tell how things stand
 * then. A site without an endpoint pays nothing for it.
 */
export async function writeEvents(
  tx: Transaction,
  siteId: number,
  events: readonly SiteEvent[],
): Promise<() => Promise<void>> {
  const { ids, receivers } = await insertEvents(tx, siteId, events)
  const wanted = new Set(receivers.flatMap(({ eventKeys }) => eventKeys))
  const told = events
    .map((event, place): Numbered => ({ ...event, id: ids[place] ?? 0 }))
    .filter(({ key }) => wanted.has(key))
  return async () => {
    if (told.length > 0) await tellWebhooks(tx, siteId, told, receivers, statesBefore(events))
  }
}

/** Of an act that is nothing but told: its events, and the letters and webhooks that go with them. `wall` makes the letters due at once. */
export async function tellEvents(
  tx: Transaction,
  siteId: number,
  events: readonly SiteEvent[],
  wall: Temporal.Instant,
): Promise<void> {
  const tell = await writeEvents(tx, siteId, events)
  await insertLetters(tx, siteId, lettersOf(events), wall)
  await tell()
}

async function tellWebhooks(
  tx: Transaction,
  siteId: number,
  events: readonly Numbered[],
  receivers: readonly Receiver[],
  previousStates: ReadonlyMap<number, string>,
): Promise<void> {
  const pairs = events.flatMap((event) =>
    receivers.filter(({ eventKeys }) => eventKeys.includes(event.key)).map(({ id }) => ({ event, endpointId: id })),
  )
  const tellsNotice = events.some(({ key }) => isNotice(key))
  const [site, records, ids, { switchedOff }] = await Promise.all([
    findSite(tx, siteId),
    listToldRecords(tx, siteId, idsAround(events)),
    drawWebhookIds(tx, pairs.length),
    tellsNotice ? findLetterSettings(tx, siteId) : defaultLetterSettings,
  ])
  assert(site !== undefined, 'events belong to a site that exists')
  const around = { site, records, previousStates, switchedOff }
  const payloads = new Map(events.map((event) => [event.id, presentWebhookPayload(toldOf(event, around))]))
  const rows = pairs.map(({ event, endpointId }, place): NewWebhook => {
    const id = ids[place]!
    return {
      siteId,
      id,
      endpointId,
      eventId: event.id,
      event: event.key,
      subscriptionId: event.subscriptionId,
      body: writeForm({ id, event: event.key, payload: payloads.get(event.id)! }),
      createdAt: event.createdAt,
    }
  })
  await insertWebhooks(tx, siteId, rows)
}

/** The state that each subscription left first in the act. */
function statesBefore(events: readonly SiteEvent[]): Map<number, string> {
  const states = new Map<number, string>()
  for (const { key, subscriptionId, eventSpecificData } of events) {
    if (key !== 'subscription_state_change' || subscriptionId === null || states.has(subscriptionId)) continue
    states.set(subscriptionId, String(eventSpecificData?.previous_subscription_state))
  }
  return states
}

/** A payment, or the refund. */
const transactionOf = ({ key, eventSpecificData, particulars }: SiteEvent): number | null =>
  particulars?.refundId ??
  (key === 'payment_success' || key === 'payment_failure' ? Number(eventSpecificData?.account_transaction_id) : null)

function idsAround(events: readonly Numbered[]): ToldIds {
  const every = (id: (event: Numbered) => number | null | undefined): number[] => [
    ...new Set(events.map(id).filter((one) => one !== null && one !== undefined)),
  ]
  return {
    subscriptions: every(({ subscriptionId }) => subscriptionId),
    customers: every(({ subscriptionId, customerId }) => (subscriptionId === null ? customerId : null)),
    transactions: every(transactionOf),
    statements: every(({ particulars }) => particulars?.statementId),
    products: every(
      ({ particulars }) => particulars?.otherProductId ?? particulars?.failedSignup?.subscription.productId,
    ),
    profiles: every(({ particulars }) => particulars?.previousProfileId),
  }
}

function toldOf(event: Numbered, { site, records, previousStates, switchedOff }: Around): Told {
  const { particulars = {}, subscriptionId, customerId } = event
  const transaction = records.transactions.get(transactionOf(event) ?? 0)
  const other = records.products.get(particulars.otherProductId ?? 0)
  return {
    event,
    site,
    switchedOff,
    record: records.subscriptions.get(subscriptionId ?? 0) ?? failedSignup(event, records),
    previousState: previousStates.get(subscriptionId ?? 0),
    customer: subscriptionId === null ? records.customers.get(customerId ?? 0) : undefined,
    transaction,
    payment: records.transactions.get(transaction?.transaction.refundedPaymentId ?? 0)?.transaction,
    statement: records.statements.get(particulars.statementId ?? 0),
    product: other?.product,
    previousProfile: particulars.previousProfile ?? records.profiles.get(particulars.previousProfileId ?? 0),
  }
}

/** What was to become a subscription. */
function failedSignup({ particulars }: Numbered, { products }: ToldRecords): Told['record'] {
  const failed = particulars?.failedSignup
  const sold = failed && products.get(failed.subscription.productId)
  if (failed === undefined || sold === undefined) return undefined
  const { custom, versionNumber: _, ...terms } = failed.terms
  return {
    ...failed,
    product: custom === null ? sold.product : { ...sold.product, ...terms },
    family: sold.family,
    custom,
    productPrice: terms.price,
    coupons: failed.coupons.map(subscribedCouponOf),
    nextProductHandle: null,
    unsettledPayment: null,
  }
}
