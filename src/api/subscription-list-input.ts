/** What the list of subscriptions can be narrowed and ordered by, read from the query. */
import { listedStates, subscriptionDates, subscriptionSorts } from '../billing/subscription-list.ts'
import type { SubscriptionFilter, SubscriptionPart } from '../store/subscription-lists.ts'
import { readDirection, readPage } from '../wire/paging.ts'
import type { Query } from '../wire/request.ts'
import { readDaysOrMoments, readIdFilter, readWord } from './list-input.ts'
import { Problems } from './problems.ts'

/** The newest first where nothing is said. Throws `InputErrors` with every problem at once. */
export function readSubscriptionList(
  query: Query,
  timeZone: string,
): { filter: SubscriptionFilter; part: SubscriptionPart } {
  const problems = new Problems()
  const page = problems.gather(() => readPage(query))
  const filter = {
    state: problems.gather(() => readWord(query, 'state', listedStates, null)) ?? null,
    productId: problems.gather(() => readIdFilter(query, 'product')) ?? null,
    couponId: problems.gather(() => readIdFilter(query, 'coupon')) ?? null,
    dateField: problems.gather(() => readWord(query, 'date_field', subscriptionDates, 'created_at')) ?? 'created_at',
    ...(problems.gather(() => readDaysOrMoments(query, timeZone)) ?? { since: null, until: null }),
  }
  const sort = problems.gather(() => readWord(query, 'sort', subscriptionSorts, 'created_at')) ?? 'created_at'
  const direction = problems.gather(() => readDirection(query, 'desc')) ?? 'desc'
  problems.tell()
  const { perPage, offset } = page!
  return { filter, part: { sort, direction, perPage, offset } }
}
