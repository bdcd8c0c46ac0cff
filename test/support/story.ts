/** How a story is written: a site's settings, what it sells, and what was done on which day, one thing a line. */
import type { TaxTerms } from '../../src/actions/create-tax.ts'
import type { CalendarBilling } from '../../src/billing/calendar-billing.ts'
import { type PricingTerms, plainProduct } from '../../src/billing/catalog.ts'
import type { ComponentChoice } from '../../src/billing/component-choice.ts'
import type { CustomPrice } from '../../src/billing/custom-price.ts'
import { parseDecimalAmount } from '../../src/billing/money.ts'
import type { SignupDelay } from '../../src/billing/signup.ts'
import type { DunningSettings } from '../../src/billing/site.ts'
import { type LifeDeed, pays, readLifeDeed } from './story-acts.ts'
import {
  type ComponentDeed,
  choicesOf,
  componentDeeds,
  readComponent,
  type StoryComponent,
} from './story-components.ts'
import { couponDeeds, readCoupon, readTax, type StoryCoupon } from './story-coupons.ts'
import { type MoneyDeed, moneyDeeds } from './story-money.ts'

/** `pro` is sold as `Pro`. */
export type StoryProduct = PricingTerms & { handle: string; cardOptional: boolean; taxable: boolean }

export type SignUp = {
  person: string
  product: string
  /** What the subscription is called in the rest of the story. */
  name: string
  /** The number of a new card, or whose card is used again. */
  card: { number: string } | { of: string } | null
  byInvoice: boolean
  billedNext: Temporal.Instant | null
  delay: SignupDelay | null
  calendar?: CalendarBilling | null
  components: ComponentChoice[]
  /** Null pays what the product costs. */
  price: CustomPrice | null
  coupons: string[]
  /** Where the person lives, and what matters to taxes besides. */
  country: string | null
  state: string | null
  taxExempt: boolean
  vatNumber: string | null
}

/** A gateway that falls silent takes the money, and neither answers nor can be asked until it recovers. */
export type Behaviour = 'recovers' | 'declines' | 'goes wrong' | 'loses answers' | 'falls silent'

export type Deed =
  | ({ deed: 'sign up' } & SignUp)
  | { deed: 'card'; name: string; behaviour: Behaviour }
  | { deed: 'gateway'; behaviour: Behaviour }
  | { deed: 'rates'; declined: number; wrong: number; lost: number }
  | { deed: 'cancel'; name: string; message: string | null }
  | { deed: 'cancel while asked'; name: string }
  | LifeDeed
  | MoneyDeed
  | ComponentDeed
  | { deed: 'stop workers' | 'start workers' | 'wait' }

/** `line` is what the story says after the date. */
type StoryAct = { at: Temporal.Instant; line: string; does: Deed }

export type Story = {
  title: string
  timeZone: string
  currency: string
  /** Where the merchant is. */
  country: string | null
  dunning: DunningSettings
  products: StoryProduct[]
  components: StoryComponent[]
  coupons: StoryCoupon[]
  taxes: TaxTerms[]
  acts: StoryAct[]
}

/** Throws with the number of the line that cannot be read. */
export function parseStory(text: string): Story {
  const dunning: DunningSettings = { attempts: 14, intervalHours: 24, finalAction: 'cancel' }
  const story: Story = {
    title: '',
    timeZone: 'UTC',
    currency: 'USD',
    country: null,
    dunning,
    products: [],
    components: [],
    coupons: [],
    taxes: [],
    acts: [],
  }
  for (const [index, line] of text.split('\n').entries()) {
    try {
      readLine(story, line.trim())
    } catch (error) {
      throw new Error(`line ${index + 1}: ${line}: ${(error as Error).message}`)
    }
  }
  return story
}

function readLine(story: Story, line: string): void {
  if (line === '') return
  if (line.startsWith('#')) {
    story.title ||= line.slice(1).trim()
    return
  }
  const [word] = line.split(/[: ]/)
  if (word === 'zone') story.timeZone = line.slice('zone:'.length).trim()
  else if (word === 'currency') story.currency = match(line, /^currency: ([A-Z]{3})$/)[1]!
  else if (word === 'merchant') story.country = match(line, /^merchant in ([A-Z]{2})$/)[1]!
  else if (word === 'coupon') story.coupons.push(readCoupon(line))
  else if (word === 'tax') story.taxes.push(readTax(line))
  else if (word === 'dunning') story.dunning = readDunning(line)
  else if (word === 'component') story.components.push(readComponent(line))
  else if (word === 'product') story.products.push(readProduct(line))
  else story.acts.push(readAct(story.timeZone, line))
}

function readDunning(line: string): DunningSettings {
  const [, attempts, hours, action] = match(
    line,
    /^dunning: (\d+) attempts?, (\d+) hours? apart, then (cancel|unpaid)$/,
  )
  return { attempts: Number(attempts), intervalHours: Number(hours), finalAction: action as 'cancel' | 'unpaid' }
}

/** `product pro: 50.00 every month, trial of 14 days for 1.00 without obligation, setup fee 20.00 after the trial`. */
function readProduct(line: string): StoryProduct {
  const [, handle, price, every, rest] = match(line, /^product ([\w-]+): ([\d.]+) every ([\w ]+)((?:, .*)?)$/)
  const product: StoryProduct = {
    handle: handle!,
    price: readMoney(price!),
    interval: readInterval(every!),
    initialCharge: null,
    initialChargeAfterTrial: false,
    trial: null,
    expiration: null,
    cardOptional: false,
    taxable: false,
  }
  for (const clause of rest!.split(', ').slice(1)) readClause(product, clause)
  return product
}

function readClause(product: StoryProduct, clause: string): void {
  if (clause === 'card optional') {
    product.cardOptional = true
  } else if (clause === 'taxable') {
    product.taxable = true
  } else if (clause.startsWith('setup fee')) {
    const [, fee, after] = match(clause, /^setup fee ([\d.]+)( after the trial)?$/)
    product.initialCharge = readMoney(fee!)
    product.initialChargeAfterTrial = after !== undefined
  } else if (clause.startsWith('expires')) {
    product.expiration = readInterval(match(clause, /^expires after ([\w ]+)$/)[1]!)
  } else {
    const [, length, price, free] = match(
      clause,
      /^trial of (\d+ \w+|\w+)(?: for ([\d.]+))?(?: (without obligation|with payment expected))$/,
    )
    const type = free === 'without obligation' ? 'no_obligation' : 'payment_expected'
    product.trial = { price: readMoney(price ?? '0'), interval: readInterval(length!), type }
  }
}

function readAct(timeZone: string, line: string): StoryAct {
  const [, date, did] = match(line, /^(\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?(?: [+-]\d\d:\d\d)?)\s\s+(.*)$/)
  return { at: readDate(date!, timeZone), line: did!, does: readDeed(timeZone, did!) }
}

function readDeed(timeZone: string, line: string): Deed {
  const ofLife = readLifeDeed(line, (text) => readDate(text, timeZone))
  if (ofLife !== undefined) return ofLife
  const found = deeds.find(([pattern]) => pattern.test(line))
  if (found === undefined) throw new Error('nobody knows how to do this')
  const [pattern, read] = found
  return read(pattern.exec(line)!.groups ?? {}, timeZone)
}

type Groups = { [name: string]: string | undefined }

const deeds: readonly [RegExp, (groups: Groups, timeZone: string) => Deed][] = [
  [
    /^sign up (?<person>\w+) to (?<product>[\w-]+)(?: as (?<name>[\w-]+))?(?: with card (?<number>\d+)| with the card of (?<of>[\w-]+)| (?<none>without a card))(?:, for (?<price>[\d.]+) every (?<every>[\w ]+))?(?:, taking (?<taking>\d[\w. -]*))?(?<invoice>, by invoice)?(?:, billed next (?<next>[\d: +-]+))?(?:, beginning (?<begins>later|[\d: +-]+))?(?:, on day (?<snap>\w+)(?:, charged (?<first>immediate|delayed))?)?(?:, coupons? (?<coupon>[^ ,]+(?: and [^ ,]+)*))?(?:, living in (?<country>[A-Z]{2})(?:-(?<state>[A-Z]{2}))?)?(?<exempt>, exempt)?(?:, VAT number (?<vat>\w+))?$/,
    readSignUp,
  ],
  [
    /^card of (?<name>[\w-]+) (?<behaviour>recovers|declines|goes wrong)$/,
    ({ name, behaviour }) => ({ deed: 'card', name: name!, behaviour: behaviour as Behaviour }),
  ],
  [
    /^gateway (?<behaviour>recovers|declines|goes wrong|loses answers|falls silent)$/,
    ({ behaviour }) => ({ deed: 'gateway', behaviour: behaviour as Behaviour }),
  ],
  [
    /^gateway declines (?<declined>[\d.]+), goes wrong (?<wrong>[\d.]+), loses answers (?<lost>[\d.]+)$/,
    ({ declined, wrong, lost }) => ({
      deed: 'rates',
      declined: Number(declined),
      wrong: Number(wrong),
      lost: Number(lost),
    }),
  ],
  [
    /^cancel (?<name>[\w-]+) while the gateway is asked next$/,
    ({ name }) => ({ deed: 'cancel while asked', name: name! }),
  ],
  [
    /^cancel (?<name>[\w-]+)(?: "(?<message>.*)")?$/,
    ({ name, message }) => ({ deed: 'cancel', name: name!, message: message ?? null }),
  ],
  [
    /^price (?<name>[\w-]+) at (?<price>[\d.]+) every (?<every>[\w ]+)$/,
    ({ name, price, every }) => ({ deed: 'life', name: name!, act: pays(priceOf(price!, every!)) }),
  ],
  ...moneyDeeds,
  ...componentDeeds,
  ...couponDeeds,
  [/^the workers stop$/, () => ({ deed: 'stop workers' })],
  [/^the workers start$/, () => ({ deed: 'start workers' })],
  [/^the end$|^so far$/, () => ({ deed: 'wait' })],
]

function readSignUp(groups: Groups, timeZone: string): Deed {
  const { person, product, name, number, of, taking, invoice, next, coupon, country, state, exempt, vat } = groups
  const { snap, first, price, every, begins } = groups
  return {
    deed: 'sign up',
    person: person!,
    product: product!,
    name: name ?? person!,
    card: number !== undefined ? { number } : of !== undefined ? { of } : null,
    byInvoice: invoice !== undefined,
    billedNext: next === undefined ? null : readDate(next, timeZone),
    delay: begins === undefined ? null : { until: begins === 'later' ? null : readDate(begins, timeZone) },
    calendar:
      snap === undefined
        ? null
        : { snapDay: snap, firstCharge: (first ?? 'prorated') as CalendarBilling['firstCharge'] },
    components: choicesOf(taking),
    price: price === undefined ? null : priceOf(price, every!),
    coupons: coupon?.split(' and ') ?? [],
    country: country ?? null,
    state: state ?? null,
    taxExempt: exempt !== undefined,
    vatNumber: vat ?? null,
  }
}

/** An offset picks one of the two moments that a repeated hour has; without one it is the earlier. */
function readDate(text: string, timeZone: string): Temporal.Instant {
  const [, day, time, offset] = match(text, /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?(?: ([+-]\d\d:\d\d))?$/)
  const local = `${day}T${time ?? '00:00'}`
  return offset === undefined
    ? Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant()
    : Temporal.Instant.from(`${local}${offset}`)
}

/** A price of one's own says no more than amount and interval. */
function priceOf(price: string, every: string): CustomPrice {
  const { initialCharge, initialChargeAfterTrial, trial, expiration } = plainProduct
  const terms = { initialCharge, initialChargeAfterTrial, trial, expiration }
  return { name: null, handle: null, price: readMoney(price), interval: readInterval(every), ...terms }
}

function readInterval(text: string): PricingTerms['interval'] {
  const [, count, word] = match(text, /^(?:(\d+) )?(day|month|year)s?$/)
  const number = Number(count ?? 1)
  return word === 'year' ? { count: 12 * number, unit: 'month' } : { count: number, unit: word as 'day' | 'month' }
}

function readMoney(text: string): PricingTerms['price'] {
  const amount = parseDecimalAmount(text)
  if (amount === undefined) throw new Error(`${text} is not an amount`)
  return amount
}

function match(text: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`does not read as ${pattern.source}`)
  return found
}
