/** The subscription that an address names, if it is the visitor's own, with what may be done to it. */
import { previewNextRenewals } from '../actions/preview-renewal.ts'
import { actsOffered, type PortalAct } from '../billing/portal-acts.ts'
import type { RenewalPreview } from '../billing/preview.ts'
import { notFound, Refusal } from '../billing/refusal.ts'
import {
  findSubscriptionRecord,
  listSubscriptionRecordsOfCustomer,
  type SubscriptionRecord,
} from '../store/subscription-records.ts'
import type { Visit, Visitor } from './visit.ts'

export type OwnSubscription = SubscriptionRecord & {
  acts: ReadonlySet<PortalAct>
  /** Null where the next renewal cannot be priced. */
  preview: RenewalPreview | null
  /** Its page. */
  path: string
}

async function withActs(
  { app, site, settings }: Visitor,
  records: readonly SubscriptionRecord[],
): Promise<OwnSubscription[]> {
  const ids = records.map(({ subscription }) => subscription.id)
  const previews = await previewNextRenewals(app, site.id, ids)
  return records.map((record) => {
    const { subscription } = record
    const path = `/account/subscriptions/${subscription.id}`
    const preview = previews.get(subscription.id) ?? null
    return { ...record, acts: actsOffered(subscription, settings), preview, path }
  })
}

/** Somebody else's is not found, as one that does not exist. */
export async function findOwn(visit: Visit): Promise<OwnSubscription> {
  const { app, site, customer, request } = visit
  const text = request.params.subscription_id ?? ''
  const record = /^\d{1,15}$/.test(text) ? await findSubscriptionRecord(app.db, site.id, Number(text)) : undefined
  if (record?.subscription.customerId !== customer.id) throw notFound()
  const [own] = await withActs(visit, [record])
  return own!
}

/** The same, for an act that is offered; refuses one that is not. */
export async function findOwnFor(visit: Visit, act: PortalAct): Promise<OwnSubscription> {
  const own = await findOwn(visit)
  if (!own.acts.has(act)) throw new Refusal('conflict')
  return own
}

/** What needs doing first, then what goes on, then what has ended; newest first in each. */
export async function listOwn(visitor: Visitor): Promise<OwnSubscription[]> {
  const { app, site, customer } = visitor
  const records = await listSubscriptionRecordsOfCustomer(app.db, site.id, customer.id)
  const own = await withActs(visitor, records)
  const rank = ({ subscription }: OwnSubscription): number => {
    if (['past_due', 'soft_failure', 'unpaid'].includes(subscription.state)) return 0
    return ['canceled', 'expired', 'trial_ended'].includes(subscription.state) ? 2 : 1
  }
  return own.toSorted((a, b) => rank(a) - rank(b))
}
