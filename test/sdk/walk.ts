/** A year in the life of a small merchant, done with the official SDK: what is sold, who signs up, and what the ledgers say in the end. */
import {
  AllVaults,
  CardType,
  ErrorListResponseError,
  ExpirationIntervalUnit,
  IntervalUnit,
  type PaymentProfileAttributes,
  type Subscription,
} from '@maxio-com/advanced-billing-sdk'
import { tellLedger, tellSubscription } from './ledger-lines.ts'
import type { Merchant } from './merchant.ts'

/** Says a line to whoever follows the walk. */
export type Tell = (line: string) => void

const begins = '2027-01-15T12:00:00Z'
/** An hour late, so that those who signed up some seconds after the beginning are renewed as well. */
const ends = '2028-03-15T13:00:00Z'

const good = { fullNumber: '4111111111111111', expirationMonth: 12, expirationYear: 2031, cvv: '123' }
const declining = { ...good, fullNumber: '4000000000000002' }

/** The ids of subscriptions by the first names of those who bought them. */
export type Bought = { [name: string]: number }

export async function walk(merchant: Merchant, tell: Tell): Promise<Bought> {
  await moveClock(merchant, begins)
  tell(`The clock of the test site stands at ${shortTime(begins)}.`)
  await fillShop(merchant, tell)
  const bought = await signUp(merchant, tell)
  await moveClock(merchant, '2027-04-20T12:00:00Z')
  tell('')
  tell('Three months later, Emmy has had enough')
  const emmy = await merchant.statuses.cancelSubscription(bought.Emmy ?? 0, {
    subscription: { cancellationMessage: 'Found the stars elsewhere', reasonCode: 'STARS' },
  })
  tellSubscription(emmy.result.subscription, tell)
  await moveClock(merchant, ends)
  tell('')
  tell(`Fourteen months after the beginning, at ${shortTime(ends)}`)
  await tellLedgers(merchant, bought, tell)
  await tellGateway(merchant, tell)
  return bought
}

/** The clock has no place in the SDK. */
const moveClock = ({ ask }: Merchant, now: string): Promise<unknown> =>
  ask('PUT', '/test_clock.json', { test_clock: { now } })

const shortTime = (instant: string): string => instant.slice(0, 16).replace('T', ' ')

async function fillShop({ families, products }: Merchant, tell: Tell): Promise<void> {
  tell('')
  tell('What is sold')
  const { result: made } = await families.createProductFamily({ productFamily: { name: 'Almanacs', description: '' } })
  const { productFamily } = made
  tell(`  The family ${productFamily?.name} (${productFamily?.handle})`)
  for (const product of catalog) {
    const { result } = await products.createProduct(String(productFamily?.id), { product })
    const { name, priceInCents, interval, intervalUnit, trialInterval, trialIntervalUnit } = result.product
    const trial = trialInterval ? `, after a trial of ${span(trialInterval, trialIntervalUnit)}` : ''
    tell(`  ${name?.padEnd(11)} ${dollars(priceInCents)} every ${span(interval, intervalUnit)}${trial}`)
  }
}

const month = { interval: 1, intervalUnit: IntervalUnit.Month, requireCreditCard: true }

const catalog = [
  {
    ...month,
    name: 'Almanac',
    handle: 'almanac',
    description: 'Sun and moon',
    priceInCents: 1900n,
    initial_charge_in_cents: 500,
  },
  {
    ...month,
    name: 'Star Atlas',
    handle: 'star-atlas',
    description: 'Every star',
    priceInCents: 19_900n,
    interval: 12,
  },
  {
    ...month,
    name: 'Tide Tables',
    handle: 'tide-tables',
    description: 'High and low water',
    priceInCents: 2900n,
    trialInterval: 14,
    trialIntervalUnit: IntervalUnit.Day,
    trialPriceInCents: 0n,
    trialType: 'payment_expected',
  },
  {
    ...month,
    name: 'Eclipses',
    handle: 'eclipses',
    description: 'Ten months of them',
    priceInCents: 4900n,
    trialInterval: 7,
    trialIntervalUnit: IntervalUnit.Day,
    trialPriceInCents: 100n,
    initial_charge_in_cents: 2500,
    initial_charge_after_trial: true,
    expirationInterval: 10,
    expirationIntervalUnit: ExpirationIntervalUnit.Month,
  },
  { ...month, name: 'Comets', handle: 'comets', description: 'When they come', priceInCents: 2500n, interval: 3 },
]

async function signUp(merchant: Merchant, tell: Tell): Promise<Bought> {
  const { subscriptions } = merchant
  tell('')
  tell('Who signs up')
  const bought: Bought = {}
  const sell = async (name: string, productHandle: string, card: PaymentProfileAttributes): Promise<void> => {
    const [firstName = '', lastName = ''] = name.split(' ')
    const customerAttributes = { firstName, lastName, email: `${firstName.toLowerCase()}@example.com` }
    const subscription = { productHandle, customerAttributes, paymentProfileAttributes: card }
    try {
      const { result } = await subscriptions.createSubscription({ subscription })
      bought[firstName] = result.subscription?.id ?? 0
      tellSubscription(result.subscription, tell)
    } catch (error) {
      if (!(error instanceof ErrorListResponseError)) throw error
      tell(`  ${name} is refused: ${error.result?.errors.join(' ')}`)
    }
  }
  await sell('Ada Lovelace', 'almanac', good)
  await sell('Grace Hopper', 'tide-tables', declining)
  await sell('Katherine Johnson', 'star-atlas', declining)
  await sell('Katherine Johnson', 'star-atlas', good)
  await sell('Hedy Lamarr', 'eclipses', good)
  await sell('Emmy Noether', 'almanac', good)
  bought.Mary = await importMary(merchant, tell)
  return bought
}

/** She was billed by another system before: her card is in the vault, and her next payment is due in August. */
async function importMary({ customers, cards, subscriptions }: Merchant, tell: Tell): Promise<number> {
  const mary = { firstName: 'Mary', lastName: 'Somerville', email: 'mary@example.com', reference: 'mary-1' }
  const { customer } = (await customers.createCustomer({ customer: mary })).result
  const { paymentProfile } = (
    await cards.createPaymentProfile({
      paymentProfile: {
        customerId: customer.id ?? 0,
        vaultToken: 'token-of-mary_1',
        currentVault: AllVaults.Bogus,
        lastFour: '4242',
        cardType: CardType.Visa,
        expirationMonth: 6,
        expirationYear: 2030,
      },
    })
  ).result
  const { result } = await subscriptions.createSubscription({
    subscription: {
      productHandle: 'comets',
      customerReference: 'mary-1',
      paymentProfileId: Number(paymentProfile.id),
      nextBillingAt: '2027-08-31T12:00:00Z',
    },
  })
  tellSubscription(result.subscription, tell)
  return result.subscription?.id ?? 0
}

async function tellLedgers({ subscriptions, ask }: Merchant, bought: Bought, tell: Tell): Promise<void> {
  for (const id of Object.values(bought)) {
    const { subscription } = (await subscriptions.readSubscription(id)).result
    tell('')
    tellSubscription(subscription as Subscription, tell)
    const rows = await ask('GET', `/subscriptions/${id}/transactions.json?direction=asc&per_page=200`)
    tellLedger(rows, tell)
  }
}

type Call = { kind: string; outcome: string; amount_in_cents: number }

/** What the gateway wrote down by itself, on a connection of its own: the ledgers must say the same. */
async function tellGateway({ ask }: Merchant, tell: Tell): Promise<void> {
  const calls = (await ask('GET', '/bogus_gateway/calls.json?per_page=200')) as { call: Call }[]
  const purchases = calls.map(({ call }) => call).filter(({ kind }) => kind === 'purchase')
  const captured = purchases.filter(({ outcome }) => outcome === 'approved')
  const sum = captured.reduce((total, call) => total + call.amount_in_cents, 0)
  tell('')
  tell("The gateway's own record of all that")
  tell(`  asked ${purchases.length} times, captured ${captured.length} times, ${dollars(BigInt(sum))} in all`)
}

const span = (count: number | null | undefined, unit: string | null | undefined): string =>
  count === 1 ? `${unit}` : `${count} ${unit}s`

const dollars = (cents: bigint | undefined): string => (Number(cents) / 100).toFixed(2).padStart(6)
