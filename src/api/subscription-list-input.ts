/** What the list of subscriptions can be narrowed and ordered by, read from the query. */
import { asCouponCode } from '../billing/coupon.ts'
import type { CollectionMethod } from '../billing/subscription.ts'
import { listedMethods, listedStates, subscriptionDates, subscriptionSorts } from '../billing/subscription-list.ts'
import type { SubscriptionFilter, SubscriptionPart } from '../store/subscription-lists.ts'
import { InputErrors } from '../wire/input.ts'
import { readDirection, readId, readPage } from '../wire/paging.ts'
import type { Query } from '../wire/request.ts'
import { textFrom } from './handler.ts'
import { readDaysOrMoments, readIdFilter, readTexts, readWord, refuseFilters } from './list-input.ts'
import { Problems } from './problems.ts'

/** There are no groups, no price points beside a product's own, and gateways are not told apart by ids. */
const refused = ['payment_gateways', 'product_price_point_id', 'group_status']

/** `remittance` is the later name of paying by invoice. */
function readMethod(query: Query): CollectionMethod | null {
  const name = query.collection_method === undefined ? 'payment_collection_method' : 'collection_method'
  const method = readWord(query, name, listedMethods, null)
  return method === 'remittance' ? 'invoice' : method
}

/** `metadata[color]=blue`. A field that is named twice has its last value. */
function readMetadata(query: Query): { name: string; value: string }[] {
  if (query.metadata !== undefined) {
    throw new InputErrors(['Metadata: must name a field, as in metadata[color]=blue.'])
  }
  return Object.keys(query).flatMap((key) => {
    const name = /^metadata\[(.+)\]$/s.exec(key)?.[1]
    return name === undefined ? [] : [{ name, value: textFrom(query, key)! }]
  })
}

/** The newest first where nothing is said. Throws `InputErrors` with every problem at once. */
export function readSubscriptionList(
  query: Query,
  timeZone: string,
): { filter: SubscriptionFilter; part: SubscriptionPart } {
  const problems = new Problems()
  const page = problems.gather(() => readPage(query))
  const code = textFrom(query, 'coupon_code')
  const filter = {
    state: problems.gather(() => readWord(query, 'state', listedStates, null)) ?? null,
    customerId: problems.gather(() => readId(query, 'customer_id', 'Customer')) ?? null,
    productId: problems.gather(() => readIdFilter(query, 'product')) ?? null,
    productVersion: problems.gather(() => readIdFilter(query, 'product_revision_number')) ?? null,
    couponId: problems.gather(() => readIdFilter(query, 'coupon')) ?? null,
    couponCode: code === undefined ? null : asCouponCode(code),
    collectionMethod: problems.gather(() => readMethod(query)) ?? null,
    currencies: readTexts(query, 'currencies')?.map((currency) => currency.toUpperCase()) ?? null,
    words: textFrom(query, 'q') ?? null,
    metadata: problems.gather(() => readMetadata(query)) ?? [],
    dateField: problems.gather(() => readWord(query, 'date_field', subscriptionDates, 'created_at')) ?? 'created_at',
    ...(problems.gather(() => readDaysOrMoments(query, timeZone)) ?? { since: null, until: null }),
  }
  const sort = problems.gather(() => readWord(query, 'sort', subscriptionSorts, 'created_at')) ?? 'created_at'
  const direction = problems.gather(() => readDirection(query, 'desc')) ?? 'desc'
  problems.gather(() => refuseFilters(query, refused))
  problems.tell()
  const { perPage, offset } = page!
  return { filter, part: { sort, direction, perPage, offset } }
}
