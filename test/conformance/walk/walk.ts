/** The whole walk: a site with every kind of thing in it, and every operation that is served, in the order of a merchant's life. */
import type { Walker } from '../walker.ts'
import {
  changeAccount,
  walkCancellations,
  walkComponents,
  walkCouponActs,
  walkMigration,
  walkPayingCards,
  walkUpdates,
} from './acts.ts'
import { walkCatalog } from './catalog.ts'
import { readCoupons, walkCoupons } from './coupons.ts'
import { card, walkBankAccounts, walkCards, walkCustomers } from './people.ts'
import {
  walkEndpoints,
  walkEvents,
  walkInvoices,
  walkMetadata,
  walkMetafields,
  walkNotes,
  walkReasonCodes,
  walkSite,
  walkWebhooks,
} from './records.ts'
import { walkRefusals } from './refusals.ts'
import { someone, subscribe, walkCustomPrices, walkImport, walkPaidFromAccounts, walkSignup } from './signups.ts'
import { behave, leaveStates, moveClock, readStates, type States, walkStates } from './states.ts'

const settings = {
  dunning_attempts: 3,
  dunning_interval_in_hours: 24,
  upcoming_renewal_notice_days: 3,
  trial_end_notice_days: 3,
  expiring_card_notices: true,
  relationship_invoicing_enabled: true,
}

/** Gives the kinds of events that were read. */
export async function walk(walker: Walker): Promise<string[]> {
  await walker.ask('PUT', '/site.json', { site: settings })
  await moveClock(walker, '2027-01-15T12:00:00Z')
  await walkEndpoints(walker)
  await walkReasonCodes(walker)
  await walkMetafields(walker)
  const catalog = await walkCatalog(walker)
  const coupons = await walkCoupons(walker, catalog)
  const customerId = await walkCustomers(walker)
  const cards = await walkCards(walker, customerId)
  await walkImport(walker, catalog.products.other, customerId, cards.vaulted)
  const account = await walkBankAccounts(walker, customerId)
  const fromAccount = await walkPaidFromAccounts(walker, customerId, account)
  const full = await walkSignup(walker, catalog)
  await walkCustomPrices(walker, catalog)
  await walkRefusals(walker, catalog)
  const invoiced = await subscribe(walker, {
    product_handle: 'monthly',
    customer_attributes: someone(),
    payment_collection_method: 'invoice',
  })
  const states = await walkStates(walker)
  await readStates(walker, states)
  await walkCancellations(walker, full)
  await walkCouponActs(walker, states.active)
  await walkComponents(walker, full, catalog)
  await walkUpdates(walker, full)
  await walkMigration(walker, full, catalog)
  await walkPayingCards(walker, full)
  await changeAccount(walker, fromAccount)
  await walkNotes(walker, full)
  await walkMetadata(walker, { subscriptions: full, customers: customerId })
  await leaveStates(walker, states)
  await walkInvoices(walker, invoiced)
  await walkFailures(walker, states)
  await readCoupons(walker, catalog.familyId, coupons.FLAT ?? 0)
  const keys = await walkEvents(walker, [full, invoiced, fromAccount, ...Object.values(states)])
  await walker.call('listSubscriptions', { perPage: 200 })
  await walkWebhooks(walker)
  await walker.call('revokeBillingPortalAccess', { customerId })
  await walkSite(walker)
  return keys
}

/** What fails, and what only time does: refunds, migrations, renewals, dunning, the end of what expires, and a customer who leaves for good. */
async function walkFailures(walker: Walker, states: States): Promise<void> {
  const { subscription } = await walker.call('readSubscription', { subscriptionId: states.active })
  const refund = { payment_id: subscription.signup_payment_id, amount: '3.00', memo: 'For the trouble' }
  await walker.ask('POST', `/subscriptions/${states.active}/refunds.json`, { refund })
  await behave(walker, { decline_rate: 1 })
  await walker.ask('POST', `/subscriptions/${states.active}/refunds.json`, { refund }).catch(() => undefined)
  const migration = { product_handle: 'other' }
  await walker.call(
    'migrateSubscriptionProduct',
    { subscriptionId: states.active, body: { migration } },
    { refusedWith: /Forced failure/ },
  )
  await moveClock(walker, '2027-02-16T13:00:00Z')
  await walker.call('cancelDunning', { subscriptionId: states.active })
  await behave(walker, { decline_rate: 0 })
  await moveClock(walker, '2027-03-20T13:00:00Z')
  const leaving = await walker.ask('POST', '/subscriptions.json', {
    subscription: { product_handle: 'monthly', customer_attributes: someone(), payment_profile_attributes: card },
  })
  await walker.call('cancelSubscription', { subscriptionId: leaving.subscription.id })
  await walker.call('deleteCustomer', { id: leaving.subscription.customer.id })
}
