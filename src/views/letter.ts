/** What a letter to a customer says: subject, sentences, facts and the one thing to do, in plain English. */
import { fullName } from '../billing/customer.ts'
import type { CustomerLetterKind, LetterDetails } from '../billing/letter.ts'
import { moneyWriter } from '../billing/money.ts'
import { formatExpiration, lastFourOf } from '../billing/payment-profile.ts'
import type { LetterFacts } from '../store/letter-facts.ts'
import { cardName, kindLabel, kindName } from './card-words.ts'

/** Whose letter it is and how it looks. */
export type Sender = {
  siteName: string
  currency: string
  timeZone: string
  supportEmail: string | null
  /** `#` and six hexadecimal digits. */
  accentColor: string
}

export type LetterText = {
  subject: string
  /** What inboxes show behind the subject. */
  preheader: string
  heading: string
  paragraphs: readonly string[]
  facts: readonly (readonly [label: string, value: string])[]
  action: { label: string; url: string } | null
  closing: string
}

type Writing = {
  facts: LetterFacts
  sender: Sender
  product: string
  money: (amountInCents: number) => string
  day: (at: Temporal.Instant) => string
}

type Written = Omit<LetterText, 'closing' | 'action'> & { action: string | null }

/**
 * The link leads to the customer's portal; null when there is none to lead to.
 * Undefined when what it would tell is no longer so, for example when the card was replaced meanwhile.
 */
export function writeLetter(facts: LetterFacts, sender: Sender, link: string | null): LetterText | undefined {
  const writing: Writing = {
    facts,
    sender,
    product: facts.subscription?.productName ?? sender.siteName,
    money: moneyWriter('en-US', sender.currency),
    day: (at) =>
      at
        .toZonedDateTimeISO(sender.timeZone)
        .toLocaleString('en-US', { year: 'numeric', month: 'long', day: 'numeric' }),
  }
  const written = writers[facts.letter.kind](writing)
  if (written === undefined) return undefined
  const { action, ...text } = written
  return {
    ...text,
    action: action === null || link === null ? null : { label: action, url: link },
    closing: closingOf(sender),
  }
}

const closingOf = ({ siteName, supportEmail }: Sender): string =>
  supportEmail === null
    ? `Thank you for being a customer of ${siteName}.`
    : `If you have any questions, write to ${supportEmail}. Thank you for being a customer of ${siteName}.`

const writers: Record<CustomerLetterKind, (writing: Writing) => Written | undefined> = {
  invitation: ({ facts, sender }) => ({
    subject: `Your account at ${sender.siteName}`,
    preheader: 'See your subscriptions and invoices, and keep your card up to date.',
    heading: `Hello ${facts.customer.firstName}`,
    paragraphs: [
      `${sender.siteName} has opened an account page for you. There you can see your subscriptions and payments, download invoices and change your card.`,
      'The link below lets you in without a password. It works for 48 hours and is meant for you alone.',
    ],
    facts: [],
    action: 'Open my account',
  }),
  receipt: ({ facts: { payment, customer, subscription }, sender, product, money, day }) => {
    if (payment === null) return undefined
    const amount = money(payment.amountInCents)
    return {
      subject: `Receipt for your payment of ${amount} to ${sender.siteName}`,
      preheader: `${product}: we received ${amount} on ${day(payment.createdAt)}.`,
      heading: 'Thank you for your payment',
      paragraphs: [`Hello ${customer.firstName}, we received your payment of ${amount}.`],
      facts: [
        ['Subscription', product],
        ['Date', day(payment.createdAt)],
        ['Amount', amount],
        ...paidWith(payment),
        ...(subscription === null || !paysNext(subscription, payment.createdAt)
          ? []
          : [['Next payment', day(subscription.currentPeriodEndsAt)] as const]),
      ],
      action: 'See my payments',
    }
  },
  payment_failed: (writing) => writePaymentFailed(writing),
  card_expiring: ({ facts: { card, customer }, sender, product }) => {
    const expiry = card && formatExpiration(card)
    if (card === null || expiry === null) return undefined
    return {
      subject: `Your card for ${product} is about to expire`,
      preheader: `Give ${sender.siteName} a new card before it expires, so that nothing is interrupted.`,
      heading: 'Your card is about to expire',
      paragraphs: [
        `Hello ${customer.firstName}, the card that pays for ${product} expires at the end of ${expiry}.`,
        'Please give us its new expiry date or another card, so that your subscription goes on without a break.',
      ],
      facts: [['Card', `${cardName(card)}, expires ${expiry}`]],
      action: 'Update my card',
    }
  },
  trial_ending: ({ facts: { customer, card, letter }, sender, product, money, day }) => {
    const endsAt = instantFrom(letter.details, 'ends_at')
    if (endsAt === null) return undefined
    const end = day(endsAt)
    const amount = amountFrom(letter.details)
    return {
      subject: `Your trial of ${product} ends on ${end}`,
      preheader: `Your trial at ${sender.siteName} ends soon. Here is what happens next.`,
      heading: `Your trial ends on ${end}`,
      paragraphs: [
        `Hello ${customer.firstName}, your trial of ${product} ends on ${end}.`,
        card === null
          ? 'We have no card of yours. Please add one if you would like to go on.'
          : 'If you would like to go on you need not do anything. If not, you can cancel before that day.',
      ],
      facts: [
        ['Subscription', product],
        ...(amount === null ? [] : [['First payment', money(amount)] as const]),
        ...(card === null ? [] : [[kindLabel(card.cardType), cardName(card)] as const]),
      ],
      action: card === null ? 'Add a card' : 'Manage my subscription',
    }
  },
  upcoming_renewal: ({ facts: { customer, card, letter }, sender, product, money, day }) => {
    const endsAt = instantFrom(letter.details, 'ends_at')
    if (endsAt === null) return undefined
    const date = day(endsAt)
    const amount = amountFrom(letter.details)
    return {
      subject: `${product} renews on ${date}`,
      preheader: `Your subscription at ${sender.siteName} renews soon.`,
      heading: `Your subscription renews on ${date}`,
      paragraphs: [
        `Hello ${customer.firstName}, your subscription to ${product} renews on ${date}.`,
        card === null
          ? 'You need not do anything for it now.'
          : `We will charge your ${kindName(card.cardType)} on that day; you need not do anything.`,
      ],
      facts: [
        ['Subscription', product],
        ...(amount === null ? [] : [['Amount', money(amount)] as const]),
        ...(card === null ? [] : [[kindLabel(card.cardType), cardName(card)] as const]),
      ],
      action: 'Manage my subscription',
    }
  },
  cancellation: ({ facts: { customer, letter }, sender, product, day }) => {
    const endsAt = instantFrom(letter.details, 'cancels_at')
    const sentence =
      endsAt === null
        ? `your subscription to ${product} was canceled on ${day(letter.createdAt)}.`
        : `your subscription to ${product} will end on ${day(endsAt)}. Until then everything stays as it is.`
    return {
      subject:
        endsAt === null ? `Your subscription to ${product} was canceled` : `Your subscription to ${product} will end`,
      preheader: `${sender.siteName} confirms your cancellation.`,
      heading: endsAt === null ? 'Your subscription was canceled' : `Your subscription ends on ${day(endsAt)}`,
      paragraphs: [
        `Hello ${customer.firstName}, ${sentence}`,
        endsAt === null
          ? 'We are sorry to see you go. You can come back whenever you like.'
          : 'If you change your mind you can undo the cancellation before that day.',
      ],
      facts: [],
      action: endsAt === null ? 'See my account' : 'Keep my subscription',
    }
  },
}

function writePaymentFailed({ facts, sender, product, money, day }: Writing): Written {
  const { customer, payment, subscription } = facts
  const owed = payment?.amountInCents || subscription?.balanceInCents || 0
  const amount = owed > 0 ? money(owed) : null
  const kind = kindName(payment === null ? (facts.card?.cardType ?? null) : payment.cardType)
  return {
    subject: `Your payment for ${product} failed`,
    preheader:
      subscription?.state === 'canceled'
        ? `Your subscription at ${sender.siteName} has ended.`
        : `Please update your ${kind === 'card' ? kind : 'payment details'} so that your subscription at ${sender.siteName} goes on.`,
    heading: 'Your payment did not go through',
    paragraphs: [
      facts.card === null && payment === null
        ? `Hello ${customer.firstName}, a payment for ${product} is due and we have no card of yours.`
        : `Hello ${customer.firstName}, we tried to charge your ${kind} for ${product}, and the payment was declined.`,
      subscription?.state === 'canceled'
        ? 'Your subscription has ended.'
        : 'Please give us a card that works. Your subscription may end if we cannot collect the payment.',
    ],
    facts: [
      ['Subscription', product],
      ...(amount === null ? [] : [['Amount', amount] as const]),
      ...(payment === null ? [] : [['Tried on', day(payment.createdAt)] as const]),
      ...(payment === null ? [] : paidWith(payment)),
    ],
    action: subscription?.state === 'canceled' ? 'See my account' : kind === 'card' ? 'Update my card' : 'Give a card',
  }
}

const paidWith = ({ cardNumber, cardType }: NonNullable<LetterFacts['payment']>): Written['facts'] =>
  cardNumber === null ? [] : [[kindLabel(cardType), cardName({ cardType, lastFour: lastFourOf(cardNumber) })]]

/** A letter that is sent late says nothing of a payment that has been made meanwhile. */
const paysNext = (
  { state, currentPeriodStartedAt, currentPeriodEndsAt }: NonNullable<LetterFacts['subscription']>,
  paidAt: Temporal.Instant,
): boolean =>
  state === 'active' &&
  Temporal.Instant.compare(currentPeriodStartedAt, paidAt) <= 0 &&
  Temporal.Instant.compare(paidAt, currentPeriodEndsAt) < 0

const amountFrom = (details: LetterDetails): number | null =>
  typeof details.amount_in_cents === 'number' ? details.amount_in_cents : null

const instantFrom = (details: LetterDetails, name: string): Temporal.Instant | null =>
  typeof details[name] === 'string' ? Temporal.Instant.from(details[name]) : null

/** As it stands in the address of the letter. */
export const recipientOf = ({ customer }: LetterFacts): { name: string; address: string } => ({
  name: fullName(customer),
  address: customer.email,
})
