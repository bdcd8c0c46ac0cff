/** The acts of a story on the life of a subscription: how they are written, and how they are done. */

import { archiveInvoice, chargeInvoice, creditInvoice, payInvoice } from '../../src/actions/act-on-invoice.ts'
import { activateSubscription } from '../../src/actions/activate-subscription.ts'
import type { App } from '../../src/actions/app.ts'
import { cancelDunning } from '../../src/actions/cancel-dunning.ts'
import { changeHold, holdSubscription } from '../../src/actions/hold-subscription.ts'
import { migrateSubscription } from '../../src/actions/migrate-subscription.ts'
import { reactivateSubscription } from '../../src/actions/reactivate-subscription.ts'
import { resetBalance } from '../../src/actions/reset-balance.ts'
import { resumeSubscription } from '../../src/actions/resume-subscription.ts'
import { retrySubscription } from '../../src/actions/retry-subscription.ts'
import { callOffCancellation, scheduleCancellation } from '../../src/actions/schedule-cancellation.ts'
import { type UpdateSubscription, updateSubscription } from '../../src/actions/update-subscription.ts'
import type { CustomPrice } from '../../src/billing/custom-price.ts'
import { parseDecimalAmount, zeroCents } from '../../src/billing/money.ts'
import { sql } from '../../src/store/sql.ts'

export type LifeDeed = { deed: 'life'; name: string; act: (app: App, siteId: number, id: number) => Promise<unknown> }

type Groups = { [name: string]: string | undefined }
/** Reads a date of the story in its zone. */
type ReadDate = (text: string) => Temporal.Instant

const nothing: UpdateSubscription = { products: { product: null, isDelayed: false }, customer: {}, card: null }

const updates =
  (change: Partial<UpdateSubscription>): LifeDeed['act'] =>
  (app, siteId, id) =>
    updateSubscription(app, siteId, id, { ...nothing, ...change })

export const pays = (customPrice: CustomPrice): LifeDeed['act'] =>
  updates({ products: { product: null, customPrice, isDelayed: false } })

/** A card under the names of nobody. */
const newCard = (fullNumber: string): UpdateSubscription['card'] => {
  const names = { firstName: 'New', lastName: 'Card' }
  const billing = { billingAddress: null, billingAddress2: null, billingCity: null, billingState: null }
  return {
    profile: {
      ...names,
      ...billing,
      billingZip: null,
      billingCountry: null,
      number: { ...names, fullNumber, cvv: null, expirationMonth: 12, expirationYear: 2099 },
      imported: null,
    },
  }
}

const reactivates =
  (how: string): LifeDeed['act'] =>
  (app, siteId, id) =>
    reactivateSubscription(app, siteId, id, {
      includeTrial: how.includes('with a trial'),
      preserveBalance: how.includes('keeping the balance'),
      resume: how.includes('resuming'),
      requireResume: how.includes('or not at all'),
      forgiveBalance: how.includes('forgiving'),
      couponCode: null,
    })

const migrates =
  (product: string, how: string): LifeDeed['act'] =>
  (app, siteId, id) =>
    migrateSubscription(app, siteId, id, {
      product: { handle: product },
      includeTrial: how.includes('with its trial'),
      includeInitialCharge: how.includes('with its setup fee'),
      includeCoupons: !how.includes('without coupons'),
      preservePeriod: how.includes('keeping the period'),
    })

const who = '(?<name>[\\w-]+)'
const acts: readonly [RegExp, (groups: Groups, date: ReadDate) => LifeDeed['act']][] = [
  [
    new RegExp(
      `^reactivate ${who}(?<how>(?: with a trial| keeping the balance| resuming| or not at all| forgiving what is owed)*)$`,
    ),
    ({ how }) => reactivates(how ?? ''),
  ],
  [new RegExp(`^reset the balance of ${who}$`), () => resetBalance],
  [new RegExp(`^retry ${who}$`), () => retrySubscription],
  [new RegExp(`^cancel the dunning of ${who}$`), () => cancelDunning],
  [new RegExp(`^resume ${who}$`), () => resumeSubscription],
  [
    new RegExp(`^hold ${who}(?: until (?<until>.+))?$`),
    ({ until }, date) =>
      (app, siteId, id) =>
        holdSubscription(app, siteId, id, until === undefined ? null : date(until)),
  ],
  [
    new RegExp(`^go on holding ${who}(?: until (?<until>.+))?$`),
    ({ until }, date) =>
      (app, siteId, id) =>
        changeHold(app, siteId, id, until === undefined ? null : date(until)),
  ],
  [
    new RegExp(`^cancel ${who} at the end of the period$`),
    () => (app, siteId, id) => scheduleCancellation(app, siteId, id, {}),
  ],
  [new RegExp(`^do not cancel ${who}$`), () => callOffCancellation],
  [
    new RegExp(`^change ${who} to (?<product>[\\w-]+)(?<later> with the renewal)?$`),
    ({ product, later }) => updates({ products: { product: { handle: product! }, isDelayed: later !== undefined } }),
  ],
  [
    new RegExp(
      `^migrate ${who} to (?<product>[\\w-]+)(?<how>(?: with its trial| with its setup fee| without coupons| keeping the period)*)$`,
    ),
    ({ product, how }) => migrates(product!, how ?? ''),
  ],
  [new RegExp(`^move ${who} to day (?<day>\\w+)$`), ({ day }) => updates({ snapDay: day! })],
  [
    new RegExp(`^do not change ${who}$`),
    () => updates({ products: { product: null, isDelayed: false, nextProductId: null } }),
  ],
  [
    new RegExp(`^bill ${who} next (?<next>[^,]+)(?<follows>, expiration too)?$`),
    ({ next, follows }, date) => updates({ nextBillingAt: date(next!), expirationFollows: follows !== undefined }),
  ],
  [
    new RegExp(`^${who} begins (?<day>.+)$`),
    ({ day }, date) => updates({ initialBillingAt: day === 'later' ? null : date(day!) }),
  ],
  [
    new RegExp(`^activate ${who}(?<ends>, or not at all)?$`),
    ({ ends }) =>
      (app, siteId, id) =>
        activateSubscription(app, siteId, id, { revertsOnFailure: ends === undefined }),
  ],
  [
    new RegExp(`^${who} expires (?<day>.+)$`),
    ({ day }, date) => updates({ expiresAt: day === 'never' ? null : date(day!) }),
  ],
  [new RegExp(`^new card (?<number>\\d+) of ${who}$`), ({ number }) => updates({ card: newCard(number!) })],
  [
    new RegExp(`^${who} pays by (?<method>invoice|card)$`),
    ({ method }) => updates({ collectionMethod: method === 'invoice' ? 'invoice' : 'automatic' }),
  ],
  [
    new RegExp(
      `^invoice (?<place>\\d+) of ${who} is (?<how>paid|credited|charged|archived)(?: (?<amount>[\\d.]+) "(?<memo>.*)")?$`,
    ),
    (groups) => actsOnInvoice(groups),
  ],
]

/** Which of the subscription's invoices, counted from the first. */
async function nthInvoice({ db }: App, siteId: number, subscriptionId: number, place: number): Promise<number> {
  const rows = await db.arrays(sql`
    select i.id from invoices i where i.site_id = ${siteId} and i.subscription_id = ${subscriptionId} order by i.id`)
  return (rows[place - 1]?.[0] as number | undefined) ?? 1
}

const actsOnInvoice =
  ({ place, how, amount, memo }: Groups): LifeDeed['act'] =>
  async (app, siteId, id) => {
    const invoiceId = await nthInvoice(app, siteId, id, Number(place))
    const given = { amount: parseDecimalAmount(amount ?? '0') ?? zeroCents, memo: memo ?? '' }
    if (how === 'archived') return archiveInvoice(app, siteId, invoiceId)
    if (how === 'charged') return chargeInvoice(app, siteId, invoiceId, { ...given, taxable: false })
    return (how === 'paid' ? payInvoice : creditInvoice)(app, siteId, invoiceId, given)
  }

/** Undefined when the line is about something else. */
export function readLifeDeed(line: string, date: ReadDate): LifeDeed | undefined {
  const found = acts.find(([pattern]) => pattern.test(line))
  if (found === undefined) return undefined
  const groups = found[0].exec(line)!.groups!
  return { deed: 'life', name: groups.name!, act: found[1](groups, date) }
}
