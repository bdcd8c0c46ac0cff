/** What is true of the periods of every subscription whatever happened to it. */
import { type Check, isLater, unless } from './identity.ts'
import type { Records } from './story-records.ts'

/** A migration at the very second in which a period began leaves it empty, and begins the next one there. */
function isReplacedAtOnce(periods: Records['periods'], index: number): boolean {
  const [period, next] = periods.slice(index, index + 2)
  return (
    next?.begunBy === 'migration' && next.startedAt.equals(period!.startedAt) && period!.endsAt.equals(next.startedAt)
  )
}

/** Counted from the anchor with the calendar alone, so that an error of one period could not hide in the next. */
export const periodsNeverDrift: Check = ({ periods, subscription, events, interval }) => {
  const hasOneProduct = events.every(({ key }) => key !== 'subscription_product_change')
  const { anchorAt, anchorTimeZone, anchorPeriodNumber, periodNumber } = subscription
  const { count, unit } = interval
  const after = (intervals: number): Temporal.Instant => {
    const length = unit === 'day' ? { days: count * intervals } : { months: count * intervals }
    return anchorAt.toZonedDateTimeISO(anchorTimeZone).add(length).toInstant()
  }
  const newest = periods.at(-1)
  return [
    ...unless(newest?.number === periodNumber, `the newest is ${newest?.number}, the present one ${periodNumber}`),
    ...unless(
      newest?.endsAt.equals(subscription.currentPeriodEndsAt) ?? false,
      'the newest does not end as the present one',
    ),
    ...periods.flatMap(({ number, begunBy, startedAt, endsAt, assessedAt }, index) => [
      ...unless(number === index + 1, `the ${index + 1}. has number ${number}`),
      ...unless(
        begunBy === 'reactivation' ||
          begunBy === 'resumption' ||
          startedAt.equals(periods[index - 1]?.endsAt ?? subscription.createdAt),
        `${number} leaves a gap`,
      ),
      ...unless(isLater(endsAt, startedAt) || isReplacedAtOnce(periods, index), `${number} is empty`),
      ...unless(!isLater(startedAt, assessedAt), `${number} was assessed before it began`),
      ...unless(
        !hasOneProduct || number < anchorPeriodNumber || endsAt.equals(after(number + 1 - anchorPeriodNumber)),
        `${number} ends at ${endsAt}, drifting from its anchor`,
      ),
    ]),
  ]
}
