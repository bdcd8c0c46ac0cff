/** The official SDK, as others wrote it, against the running service: it understands all that we say, and the ledgers are those on file. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import {
  ApiError,
  BankAccountHolderType,
  type BankAccountPaymentProfile,
  BankAccountType,
  type DunningStepReached,
  ErrorListResponseError,
  EventKey,
  IntervalUnit,
  PaymentType,
  SubscriptionSort,
  SubscriptionStateFilter,
} from '@maxio-com/advanced-billing-sdk'
import { decliningCard, made, openOtherSite, openShop, signup } from '../api/shop.ts'
import { testDatabase } from '../support/database.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'
import { startService } from './throw-away-service.ts'
import { walk } from './walk.ts'

const card1 = { fullNumber: '1', expirationMonth: 12, expirationYear: 2031 }
const golden = new URL('walk.out', import.meta.url)

/** `UPDATE_GOLDEN=1` writes what was told, for review as a diff. */
test('fourteen months of a merchant with the official SDK give the ledgers on file, line by line', async (t) => {
  const { url } = await testDatabase(t)
  const service = await startService({ databaseUrl: url })
  const merchant = openMerchant(service)
  t.after(async () => {
    merchant.leave()
    await service.stop()
  })
  const lines: string[] = []
  await walk(merchant, (line) => lines.push(line))
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, `${lines.join('\n')}\n`)
  assert.deepEqual(lines, readFileSync(golden, 'utf8').trimEnd().split('\n'))
})

/** It checks each answer against its own schema, and throws where one does not fit. */
describe('the SDK understands every answer', async () => {
  const shop = await openShop()
  const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
  after(() => merchant.leave())
  const { subscriptions, statuses, customers, products, families, cards, events, sites } = merchant
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  const { customer, product, credit_card: card } = subscription

  test('of families and products', async () => {
    const family = await families.readProductFamily(shop.familyId)
    assert.equal(family.result.productFamily?.handle, 'almanacs')
    assert.equal((await families.listProductFamilies({})).result.length, 1)
    assert.equal(
      (await families.listProductsForProductFamily({ productFamilyId: String(shop.familyId) })).result.length,
      9,
    )
    assert.equal((await products.listProducts({ perPage: 4 })).result.length, 4)
    assert.equal((await products.readProduct(product.id)).result.product.priceInCents, 5000n)
    assert.equal((await products.readProductByHandle('monthly')).result.product.id, product.id)
    const changed = {
      name: 'Monthly',
      description: 'Changed',
      priceInCents: 5000n,
      interval: 1,
      intervalUnit: IntervalUnit.Month,
    }
    assert.equal((await products.updateProduct(product.id, { product: changed })).result.product.description, 'Changed')
    const archived = await products.archiveProduct(shop.productIds.expiring)
    assert.match(String(archived.result.product.archivedAt), /^2027-01-15T/)
  })

  test('of customers and their cards', async () => {
    const { result } = await customers.createCustomer({
      customer: { firstName: 'Emmy', lastName: 'Noether', email: 'emmy@example.com', reference: 'emmy' },
    })
    const emmy = result.customer.id ?? 0
    assert.equal((await customers.readCustomer(emmy)).result.customer.firstName, 'Emmy')
    assert.equal((await customers.readCustomerByReference('emmy')).result.customer.id, emmy)
    assert.deepEqual(
      (await customers.listCustomers({ q: 'Noether' })).result.map((found) => found.customer.id),
      [emmy],
    )
    const changed = await customers.updateCustomer(emmy, { customer: { city: 'Erlangen' } })
    assert.equal(changed.result.customer.city, 'Erlangen')
    const stored = await cards.createPaymentProfile({ paymentProfile: { customerId: emmy, ...card1 } })
    const id = Number(stored.result.paymentProfile.id)
    assert.equal((await cards.readPaymentProfile(id)).result.paymentProfile.firstName, 'Emmy')
    assert.equal((await cards.listPaymentProfiles({ customerId: emmy })).result.length, 1)
    await cards.updatePaymentProfile(id, { paymentProfile: { billingZip: '02120' } })
    assert.equal((await cards.deleteUnusedPaymentProfile(id)).statusCode, 204)
    const account = {
      paymentType: PaymentType.BankAccount,
      bankName: 'Sparkasse',
      bankRoutingNumber: '021000089',
      bankAccountNumber: '4',
      bankAccountType: BankAccountType.Savings,
      bankAccountHolderType: BankAccountHolderType.Business,
    }
    const kept = (await cards.createPaymentProfile({ paymentProfile: { customerId: emmy, ...account } })).result
    assert.equal((kept.paymentProfile as BankAccountPaymentProfile).bankName, 'Sparkasse')
    const accountId = Number(kept.paymentProfile.id)
    const verification = { bankAccountVerification: { deposit1InCents: 32n, deposit2InCents: 45n } }
    const { paymentProfile: verified } = (await cards.verifyBankAccount(accountId, verification)).result
    assert.deepEqual([verified.verified, verified.maskedBankAccountNumber], [true, 'XXXX4'])
    assert.equal((await customers.deleteCustomer(emmy)).statusCode, 204)
  })

  test('of subscriptions that are paid from a bank account', async () => {
    const bankAccountAttributes = { bankName: 'Hoare', bankRoutingNumber: '021000089', bankAccountNumber: '0011223344' }
    const { result } = await subscriptions.createSubscription({
      subscription: {
        productHandle: 'monthly',
        customerAttributes: { firstName: 'Emmy', lastName: 'Noether', email: 'emmy@example.com' },
        bankAccountAttributes,
      },
    })
    const { id, paymentType, creditCard, bankAccount } = result.subscription!
    assert.deepEqual([paymentType, creditCard, bankAccount?.bankName], ['bank_account', undefined, 'Hoare'])
    assert.deepEqual((await subscriptions.readSubscription(id!)).result.subscription?.bankAccount, bankAccount)
  })

  test('of subscriptions, their events, and the site', async () => {
    assert.equal((await subscriptions.readSubscription(subscription.id)).result.subscription?.balanceInCents, 0n)
    assert.equal((await subscriptions.listSubscriptions({ perPage: 1 })).result.length, 1)
    const { Canceled } = SubscriptionStateFilter
    assert.deepEqual(
      (await subscriptions.listSubscriptions({ state: Canceled, sort: SubscriptionSort.PeriodEnd })).result,
      [],
    )
    assert.equal((await customers.listCustomerSubscriptions(customer.id)).result.length, 1)
    const told = await events.listSubscriptionEvents({ subscriptionId: subscription.id })
    assert.deepEqual(
      told.result.map(({ event }) => event.key),
      ['statement_settled', 'payment_success', 'signup_success'],
    )
    assert.equal((await sites.readSite()).result.site.subdomain, 'acme')
    const { result } = await statuses.cancelSubscription(subscription.id, {
      subscription: { cancellationMessage: 'Enough' },
    })
    assert.deepEqual([result.subscription?.state, result.subscription?.cancellationMessage], ['canceled', 'Enough'])
    for (const handle of ['free', 'free-trial', 'paid-trial']) {
      const bought = await subscriptions.createSubscription({
        subscription: { productHandle: handle, customerId: customer.id, paymentProfileId: card.id },
      })
      assert.equal((await subscriptions.readSubscription(bought.result.subscription?.id ?? 0)).statusCode, 200)
    }
  })

  test('of refusals, as its own errors', async () => {
    const unfit = subscriptions.createSubscription({ subscription: { productHandle: 'none', customerId: customer.id } })
    await assert.rejects(unfit, (error) => {
      assert(error instanceof ErrorListResponseError)
      assert.equal(error.statusCode, 422)
      assert.deepEqual(error.result?.errors, ["Product with API Handle 'none' does not exist for this merchant."])
      return true
    })
    const withStatus = (status: number) => (error: unknown) => error instanceof ApiError && error.statusCode === status
    await assert.rejects(subscriptions.readSubscription(1), withStatus(404))
    await assert.rejects(
      customers.createCustomer({ customer: { firstName: '', lastName: '', email: '' } }),
      withStatus(422),
    )
    const stranger = openMerchant({ ...shop, apiKey: 'wrong', subdomain: 'acme', certificate: testTls.cert })
    await assert.rejects(stranger.subscriptions.listSubscriptions({}), withStatus(401))
    stranger.leave()
    await openOtherSite(shop)
    const lost = openMerchant({ ...shop, subdomain: 'beta', certificate: testTls.cert })
    await assert.rejects(lost.subscriptions.listSubscriptions({}), withStatus(401))
    lost.leave()
  })

  test('of what was brought along paid for, whose sign-up names no row', async () => {
    const token = { vault_token: 'token', current_vault: 'bogus' }
    const imported = { next_billing_at: '2028-01-01', payment_profile_attributes: token }
    const { subscription: elsewhere } = await made(shop, 'POST /subscriptions.json', signup(imported))
    const told = await events.listSubscriptionEvents({ subscriptionId: elsewhere.id })
    const signedUp = told.result.find(({ event }) => event.key === 'signup_success')
    assert.equal(signedUp?.event.eventSpecificData, null)
  })

  test('of the steps of a dunning, the last one too', async (t) => {
    const dunned = await openShop(t)
    await dunned.ask('PUT /site.json', { body: { site: { dunning_attempts: 3 } } })
    const terms = { product_handle: 'card-trial', payment_profile_attributes: decliningCard }
    const { id } = (await made(dunned, 'POST /subscriptions.json', signup(terms))).subscription
    const reader = openMerchant({ ...dunned, subdomain: 'acme', certificate: testTls.cert })
    t.after(() => reader.leave())
    const steps = () =>
      reader.events.listSubscriptionEvents({ subscriptionId: id, filter: [EventKey.DunningStepReached] })
    await dunned.moveClock('2027-02-16T12:00:00Z')
    const [told] = (await steps()).result
    const data = told?.event.eventSpecificData as DunningStepReached
    assert.deepEqual([data.dunner.attempts, data.currentStep.action, data.nextStep.dayThreshold], [2, 'retry', 2])
    await dunned.moveClock('2027-02-17T12:00:00Z')
    const [last] = (await steps()).result
    const final = last?.event.eventSpecificData as DunningStepReached
    assert.deepEqual(
      [final.dunner.state, final.currentStep.action, final.nextStep.action],
      ['finished', 'cancel', 'cancel'],
    )
  })
})
