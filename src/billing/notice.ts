/** Notices of what is coming: a renewal, the end of a trial, a card that expires; when each is due, and what it says. */
import { subjectOf } from './act.ts'
import { addHours, isAtOrBefore, isBefore, maxOf } from './calendar.ts'
import type { Changes } from './changes.ts'
import { dueFor } from './due.ts'
import { event, whose } from './event.ts'
import { previewRenewal } from './preview.ts'
import type { NoticeSettings } from './site.ts'
import { momentOfAct, type SubscriptionFacts } from './subscription.ts'

/** The states in which a period's end is announced, and how many days ahead; 0 days is never. */
export const noticeDays = ({ renewalDays, trialDays }: NoticeSettings) => ({ active: renewalDays, trialing: trialDays })
export type NoticedState = keyof ReturnType<typeof noticeDays>

const hoursADay = 24

/** So many days of 24 hours before the period ends. */
export const noticeDueAt = (periodEndsAt: Temporal.Instant, days: number): Temporal.Instant =>
  addHours(periodEndsAt, -hoursADay * days)

/**
 * The notice that a period ends soon, dated when it was due, or `now` when that is given. There is none where the subscription ends
 * with the period, and none of a period that is no longer than the notice is ahead.
 */
export function decideNotice(facts: SubscriptionFacts, now: Temporal.Instant | null): Changes {
  const { site, subscription } = facts
  const { state, currentPeriodEndsAt, currentPeriodStartedAt } = subscription
  if (state !== 'active' && state !== 'trialing') return {}
  const dueAt = noticeDueAt(currentPeriodEndsAt, noticeDays(site.notices)[state])
  if (isAtOrBefore(dueAt, currentPeriodStartedAt)) return {}
  if (dueFor(subscription, currentPeriodEndsAt) !== 'renewal') return {}
  const subject = subjectOf(facts, momentOfAct(subscription, now ?? dueAt))
  const estimatedAmount = previewRenewal(facts).totalAmountDue
  const announced = { estimatedAmount, periodEndsAt: currentPeriodEndsAt }
  const told =
    state === 'trialing'
      ? event(subject, 'trial_end_notice', `End of trial notice sent for ${whose(subject)}`, null, announced)
      : event(subject, 'upcoming_renewal_notice', `Upcoming renewal notice sent for ${whose(subject)}`, null, announced)
  return { events: [told] }
}

export const decideCardNotice = (facts: SubscriptionFacts, at: Temporal.Instant): Changes => {
  const subject = subjectOf(facts, momentOfAct(facts.subscription, at))
  return { events: [event(subject, 'expiring_card', `Credit card expires soon on ${whose(subject)}`)] }
}

/** Months since the year 0, as cards say when they expire. */
export const monthNumber = ({ year, month }: { year: number; month: number }): number => year * 12 + month

export type CardMoment = {
  at: Temporal.Instant
  /** The number of the month in which the cards expire that are noticed then: the next one. */
  expiring: number
}

/** The first moment after `after` at which expiring cards are noticed: as the 1st, the 15th and the 7th day before a month's end begin. */
export function nextCardMoment(after: Temporal.Instant, timeZone: string): CardMoment {
  const first = after.toZonedDateTimeISO(timeZone).toPlainDate().with({ day: 1 })
  const moments = [first, first.add({ months: 1 })].flatMap((month) =>
    [1, 15, month.daysInMonth - 7].map((day) => momentOn(month.with({ day }), timeZone)),
  )
  return moments
    .toSorted((left, right) => Temporal.Instant.compare(left.at, right.at))
    .find(({ at }) => isBefore(after, at))!
}

const momentOn = (day: Temporal.PlainDate, timeZone: string): CardMoment => ({
  at: day.toZonedDateTime(timeZone).toInstant(),
  expiring: monthNumber(day) + 1,
})

/** The first day of the month before the one in which a card expires, as that day begins. */
export const firstCardMoment = (expiring: number, timeZone: string): CardMoment => {
  const before = expiring - 2
  const day = new Temporal.PlainDate(Math.floor(before / 12), (before % 12) + 1, 1)
  return momentOn(day, timeZone)
}

/** Of several moments that have passed, the newest: nobody wants to hear the same thing three times at once. */
export function newestCardMoment(first: CardMoment, now: Temporal.Instant, timeZone: string): CardMoment {
  let newest = first
  for (;;) {
    const next = nextCardMoment(newest.at, timeZone)
    if (isBefore(now, next.at)) return newest
    newest = next
  }
}

/** Moments long gone are not made up for once the site's time has moved on: `through` is where the notices stand. */
export const cardsNoticedThrough = (through: Temporal.Instant, now: Temporal.Instant): Temporal.Instant =>
  maxOf(through, addHours(now, -hoursADay))
