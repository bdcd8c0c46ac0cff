/** Who is billed in a simulation: a site with a daily product and subscribers whose first payment is an hour away. */
import type { App } from '../../src/actions/app.ts'
import { createProduct } from '../../src/actions/create-product.ts'
import { createProductFamily } from '../../src/actions/create-product-family.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { plainProduct } from '../../src/billing/catalog.ts'
import { nothingKnown } from '../../src/billing/customer.ts'
import { cents } from '../../src/billing/money.ts'
import type { SimulatedDatabase } from './simulated-database.ts'

const dailyPrice = 1000

let sites = 0

/** Gives the site. Everybody's card is on file already: nothing is asked of the gateway meanwhile. */
export async function fillSite(
  app: App,
  { query }: SimulatedDatabase,
  count: number,
  startedAt: Temporal.Instant,
): Promise<number> {
  sites += 1
  const subdomain = `simulated-${sites}`
  const { siteId } = await createSite(app, {
    subdomain,
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: undefined,
  })
  const family = { name: 'Simulated', handle: null, description: null, accountingCode: null }
  const familyId = await createProductFamily(app, siteId, family)
  const interval = { count: 1, unit: 'day' } as const
  const daily = { ...plainProduct, name: 'Daily', handle: 'daily', price: cents(dailyPrice), interval }
  await createProduct(app, siteId, familyId, daily)
  for (let place = 0; place < count; place++) {
    const details = { ...nothingKnown, firstName: 'Ada', lastName: `Number ${place}`, email: 'ada@example.com' }
    const subscriptionId = await createSubscription(app, siteId, {
      product: { handle: 'daily' },
      customer: { details: { ...details, reference: `subscriber-${place}` } },
      card: { profile: cardOnFile(place) },
      collectionMethod: 'automatic',
      nextBillingAt: app.clock.now().add({ minutes: 30 }),
      cancellationMessage: null,
      problems: [],
    })
    // The clock of the machine that signs them up may be off.
    const dueAt = startedAt.add({ minutes: 1 + place }).toString()
    await query(
      `update subscriptions set next_assessment_at = $3, current_period_ends_at = $3, anchor_at = $3 where site_id = $1 and id = $2`,
      [siteId, subscriptionId, dueAt],
    )
    await query(`update periods set ends_at = $3 where site_id = $1 and subscription_id = $2`, [
      siteId,
      subscriptionId,
      dueAt,
    ])
  }
  return siteId
}

const cardOnFile = (place: number) => ({
  firstName: 'Ada',
  lastName: `Number ${place}`,
  billingAddress: null,
  billingAddress2: null,
  billingCity: null,
  billingState: null,
  billingZip: null,
  billingCountry: null,
  number: null,
  imported: {
    currentVault: 'bogus',
    vaultToken: `token-${place}`,
    customerVaultToken: null,
    lastFour: '1111',
    cardType: null,
    expirationMonth: 12,
    expirationYear: 2099,
  },
})
