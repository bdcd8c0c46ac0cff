/** How amounts, dates and states read to one customer: numbers and dates in the customer's own manner, the words in English. */
import { html } from 'hono/html'
import { dayOf, type Interval } from '../billing/calendar.ts'
import { type Cents, moneyWriter } from '../billing/money.ts'
import { type CardType, formatExpiration, type PaymentType, paidWith } from '../billing/payment-profile.ts'
import type { Site } from '../billing/site.ts'
import type { SubscriptionState } from '../billing/subscription.ts'
import { brandOf } from '../views/card-words.ts'

/** Escaped by its template; ready to stand inside another one. */
export type Markup = ReturnType<typeof html>

export type Words = {
  /** The language tag that numbers and dates follow. */
  locale: string
  money(amount: Cents): string
  /** A day of the site's calendar, as text and for machines. */
  day(at: Temporal.Instant): Markup
  /** The same in few letters, for tables. */
  date(at: Temporal.Instant): Markup
  /** From one day to another; one day alone where they are the same. */
  span(from: Temporal.Instant, to: Temporal.Instant): Markup
}

const fallbackLocale = 'en-US'
const tagsMax = 10

/** The first language of an Accept-Language header that numbers and dates can be written in. */
export function localeFrom(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '')
  const wishes = text
    .split(',', tagsMax)
    .map((part) => part.split(';'))
    .map(([tag = '', ...rest]) => ({ tag: tag.trim(), q: Number(/q=([\d.]+)/.exec(rest.join(';'))?.[1] ?? 1) }))
    .filter(({ tag, q }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) && q > 0)
    .toSorted((a, b) => b.q - a.q)
  return wishes.map(({ tag }) => supported(tag)).find((tag) => tag !== undefined) ?? fallbackLocale
}

function supported(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag])[0]
  } catch {
    return undefined
  }
}

const known = new Map<string, Words>()
const knownMax = 500

/** Formatters are dear to make, so those of a site and a language are kept. */
export function wordsFor({ currency, timeZone }: Site, locale: string): Words {
  const key = [locale, currency, timeZone].join()
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= knownMax) known.clear()
  const written = (dateStyle: 'long' | 'medium') => {
    const days = new Intl.DateTimeFormat(locale, { dateStyle, timeZone })
    return (at: Temporal.Instant): Markup =>
      html`<time datetime="${dayOf(at, timeZone)}" lang="${locale}">${days.format(at.epochMilliseconds)}</time>`
  }
  const date = written('medium')
  const words: Words = {
    locale,
    money: moneyWriter(locale, currency),
    day: written('long'),
    date,
    span: (from, to) =>
      dayOf(from, timeZone) === dayOf(to, timeZone) ? date(from) : html`${date(from)} to ${date(to)}`,
  }
  known.set(key, words)
  return words
}

/** `every month`, `every 3 months`, `every year`. */
export const everyInterval = ({ count, unit }: Interval): string =>
  count === 12 && unit === 'month' ? 'every year' : count === 1 ? `every ${unit}` : `every ${count} ${unit}s`

export type Tone = 'good' | 'warning' | 'bad' | 'quiet'

const states: Record<SubscriptionState, readonly [words: string, tone: Tone]> = {
  trialing: ['Trial', 'good'],
  active: ['Active', 'good'],
  past_due: ['Payment overdue', 'bad'],
  soft_failure: ['Payment delayed', 'warning'],
  unpaid: ['Unpaid', 'bad'],
  canceled: ['Canceled', 'quiet'],
  expired: ['Ended', 'quiet'],
  trial_ended: ['Trial ended', 'quiet'],
  on_hold: ['Paused', 'warning'],
  awaiting_signup: ['Begins later', 'good'],
}

export const stateWords = (state: SubscriptionState): readonly [words: string, tone: Tone] => states[state]

type Payer = {
  paymentType: PaymentType
  cardType: CardType | null
  lastFour: string | null
  expirationMonth: number | null
  expirationYear: number | null
}

/** `Visa ending in 1111, expires 12/2031`, `Bank account ending in 3344`; of a test card, that it is one. */
export function cardWords(card: Payer): string {
  const brand = card.cardType === 'bogus' ? 'Test card' : brandOf(paidWith(card))
  const ending = card.lastFour === null ? '' : ` ending in ${card.lastFour}`
  const expiration = formatExpiration(card)
  return `${brand}${ending}${expiration === null ? '' : `, expires ${expiration}`}`
}
