/** Fills a new test site with a small business to look at: what it sells, who buys it, and how that is going. */
import { plainProduct, type Trial } from '../billing/catalog.ts'
import { nothingKnown } from '../billing/customer.ts'
import { cents } from '../billing/money.ts'
import { type App, siteAndNow } from './app.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { createCustomer } from './create-customer.ts'
import { type CreateProduct, createProduct } from './create-product.ts'
import { createProductFamily } from './create-product-family.ts'
import { createSubscription } from './create-subscription.ts'
import type { CardChoice } from './signup-parties.ts'

type DemoProduct = Pick<CreateProduct, 'name' | 'price'> & Partial<CreateProduct> & { handle: string }

const trialOf = (days: number, price: number, type: Trial['type']): Trial => ({
  price: cents(price),
  interval: { count: days, unit: 'day' },
  type,
})

const families: readonly { name: string; products: readonly DemoProduct[] }[] = [
  {
    name: 'Tidewater Analytics',
    products: [
      { name: 'Team', handle: 'team', price: cents(9900), description: 'Dashboards for ten people.' },
      {
        name: 'Team Yearly',
        handle: 'team-yearly',
        price: cents(99_000),
        interval: { count: 12, unit: 'month' },
        description: 'A year of Team for the price of ten months.',
      },
      {
        name: 'Starter',
        handle: 'starter',
        price: cents(2900),
        trial: trialOf(14, 0, 'payment_expected'),
        description: 'One dashboard. Two weeks free.',
      },
      {
        name: 'Enterprise',
        handle: 'enterprise',
        price: cents(49_900),
        initialCharge: cents(25_000),
        trial: trialOf(30, 4900, 'payment_expected'),
        description: 'Set up together with you; the first thirty days are for finding out.',
      },
    ],
  },
  {
    name: 'Quayside Coworking',
    products: [
      {
        name: 'Desk',
        handle: 'desk',
        price: cents(18_000),
        trial: trialOf(30, 0, 'no_obligation'),
        requireCreditCard: false,
        description: 'A desk by the water. Thirty days free, no card needed.',
      },
      {
        name: 'Day Pass',
        handle: 'day-pass',
        price: cents(1500),
        interval: { count: 1, unit: 'day' },
        description: 'Billed every day for as long as you stay.',
      },
    ],
  },
]

/** Numbers that gateways publish for tests. */
const cardNumbers = {
  visa: '4111111111111111',
  master: '5555555555554444',
  amex: '378282246310005',
  discover: '6011111111111117',
  declining: '4000000000000002',
} as const

type Signup = {
  to: string
  card?: keyof typeof cardNumbers
  /** Was billed elsewhere before; the first bill of this site is due after so long. */
  billedIn?: Temporal.DurationLike
  byInvoice?: true
  /** Left again at once, for this reason. */
  left?: string
}

type Person = [first: string, last: string, organization: string | null, city: string, country: string, ...Signup[]]

/** One declining card is billed within a minute, so that a payment in trouble is soon there to be seen. */
const people: readonly Person[] = [
  ['Amara', 'Okafor', 'Okafor Freight', 'Lagos', 'NG', { to: 'team', card: 'visa' }],
  ['Ingrid', 'Haugen', 'Haugen Studio', 'Bergen', 'NO', { to: 'team', card: 'master', billedIn: { hours: 75 } }],
  ['Chiara', 'Rinaldi', null, 'Torino', 'IT', { to: 'starter', card: 'visa' }],
  ['Daniel', 'Whitfield', 'Whitfield & Sons', 'Portland', 'US', { to: 'team-yearly', card: 'amex' }],
  ['Elif', 'Demir', 'Demir Tekstil', 'İzmir', 'TR', { to: 'team', card: 'visa', billedIn: { hours: 220 } }],
  ['Fatima', 'El Amrani', null, 'Rabat', 'MA', { to: 'desk' }],
  ['Grzegorz', 'Wiśniewski', null, 'Kraków', 'PL', { to: 'team', card: 'master' }, { to: 'day-pass', card: 'visa' }],
  ['花', '佐藤', '佐藤工房', '大阪', 'JP', { to: 'enterprise', card: 'visa' }],
  ['Isabela', 'Nogueira', null, 'Recife', 'BR', { to: 'starter', card: 'master', billedIn: { hours: 410 } }],
  ['Jonas', 'Brandt', 'Brandt Logistik', 'Hamburg', 'DE', { to: 'enterprise', byInvoice: true }],
  ['Katherine', 'O’Neill', null, 'Galway', 'IE', { to: 'desk', card: 'visa' }],
  ['Liam', 'Tremblay', null, 'Québec', 'CA', { to: 'team-yearly', card: 'visa', billedIn: { hours: 620 } }],
  ['美玲', '陳', null, '臺北', 'TW', { to: 'starter', card: 'visa' }],
  ['Nikos', 'Papadakis', 'Papadakis Tours', 'Heraklion', 'GR', { to: 'day-pass', card: 'visa' }],
  ['Olivia', 'Martins', null, 'Lisboa', 'PT', { to: 'team', card: 'declining', billedIn: { minutes: 1 } }],
  ['Pradeep', 'Raghavan', 'Raghavan Health', 'Chennai', 'IN', { to: 'enterprise', card: 'master' }],
  ['Quentin', 'Lefèvre', null, 'Nantes', 'FR', { to: 'team', card: 'discover', left: 'Has built a tool of his own.' }],
  ['Rosa', 'Jiménez Pardo', 'Huerta Jiménez', 'Sevilla', 'ES', { to: 'team', card: 'visa', billedIn: { hours: 505 } }],
  ['Sinéad', 'Byrne', null, 'Cork', 'IE', { to: 'desk', card: 'visa', billedIn: { hours: 150 } }],
  ['Tamsin', 'Clarke', 'Clarke Coaching', 'Bristol', 'GB', { to: 'starter', card: 'declining' }],
  ['Umar', 'Siddiqui', null, 'Lahore', 'PK', { to: 'desk' }],
  ['Veronika', 'Novotná', 'Tiskárna Novotná', 'Praha', 'CZ', { to: 'team', card: 'master', billedIn: { hours: 340 } }],
  ['William', 'Ngata', null, 'Wellington', 'NZ', { to: 'desk', left: 'Moved away.' }],
  ['Yara', 'Haddad', 'Haddad & Daughters', 'Beirut', 'LB'],
  ['Zoltán', 'Kovács', null, 'Szeged', 'HU'],
]

/** The same every time, one thing after the other, so that the same person has the same id in every new installation. */
export async function createDemoData(app: App, siteId: number): Promise<void> {
  for (const { name, products } of families) {
    const familyId = await createProductFamily(app, siteId, {
      name,
      handle: null,
      description: null,
      accountingCode: null,
    })
    for (const product of products) await createProduct(app, siteId, familyId, { ...plainProduct, ...product })
  }
  const { now } = await siteAndNow(app, app.db, siteId)
  for (const [index, person] of people.entries()) await bring(app, siteId, now, index, person)
}

const firstReference = 1001

/** A customer with the first subscription, where there is one: that takes one request, as it would of a merchant. */
async function bring(app: App, siteId: number, now: Temporal.Instant, index: number, person: Person): Promise<void> {
  const [firstName, lastName, organization, city, country, ...signups] = person
  const reference = `C-${firstReference + index}`
  const email = `${addressOf(firstName, lastName) || reference.toLowerCase()}@example.com`
  const details = { ...nothingKnown, firstName, lastName, organization, reference, city, country, email }
  if (signups.length === 0) await createCustomer(app, siteId, details)
  for (const [place, { to, card, billedIn, byInvoice, left }] of signups.entries()) {
    const subscriptionId = await createSubscription(app, siteId, {
      product: { handle: to },
      customer: place === 0 ? { details } : { reference },
      card: card === undefined ? null : cardOf(cardNumbers[card], person, now),
      collectionMethod: byInvoice ? 'invoice' : 'automatic',
      nextBillingAt: billedIn === undefined ? null : now.add(billedIn),
      cancellationMessage: null,
      problems: [],
    })
    if (left) await cancelSubscription(app, siteId, subscriptionId, { message: left, reasonCode: null })
  }
}

/** `rosa.jimenezpardo`; empty for names in other letters. */
const addressOf = (...names: string[]): string =>
  names
    .map((name) => name.normalize('NFKD').replace(/[^A-Za-z]/g, ''))
    .filter((name) => name !== '')
    .join('.')
    .toLowerCase()

const yearsValid = 3

function cardOf(fullNumber: string, [firstName, lastName, , city, country]: Person, now: Temporal.Instant): CardChoice {
  const expirationYear = now.toZonedDateTimeISO('UTC').year + yearsValid
  return {
    profile: {
      firstName,
      lastName,
      billingAddress: null,
      billingAddress2: null,
      billingCity: city,
      billingState: null,
      billingZip: null,
      billingCountry: country,
      number: { fullNumber, cvv: null, expirationMonth: 12, expirationYear, firstName, lastName },
      imported: null,
    },
  }
}
