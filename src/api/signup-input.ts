/** What a request to create a subscription may say; everything that is wrong with it is gathered, and told at once. */
import type { CreateSubscription } from '../actions/create-subscription.ts'
import type { CardChoice, CustomerChoice } from '../actions/signup-parties.ts'
import type { NewPaymentProfile } from '../actions/store-card.ts'
import { type CalendarBilling, firstCharges, isSnapDay } from '../billing/calendar-billing.ts'
import type { CustomerDetails } from '../billing/customer.ts'
import type { Site } from '../billing/site.ts'
import { collectionMethods } from '../billing/subscription.ts'
import { type Command, InputErrors, idNumber, nested, object, oneOf, readInput, text, wrapped } from '../wire/input.ts'
import { parseTimestamp } from '../wire/timestamp.ts'
import { choicesInput, readChoices } from './allocation-input.ts'
import { readCard } from './card-input.ts'
import { readNewCustomer } from './customer-input.ts'
import { readMetafieldValues } from './metadata-input.ts'

export const signupInput = object({
  product_handle: text('Product handle'),
  product_id: idNumber('Product'),
  customer_id: idNumber('Customer'),
  customer_reference: text('Customer reference'),
  payment_profile_id: idNumber('Payment profile'),
  cancellation_message: text('Cancellation message', { max: 65_535 }),
  next_billing_at: text('Next billing', { max: 64 }),
  vat_number: text('VAT number'),
  coupon_code: text('Coupon code'),
  components: choicesInput,
  payment_collection_method: oneOf('Payment collection method', collectionMethods),
  calendar_billing: nested('Calendar billing', {
    snap_day: text('Snap day', { max: 8 }),
    calendar_billing_first_charge: oneOf('Calendar billing first charge', firstCharges),
  }),
})
type Fields = Command<typeof signupInput>

type Tree = ReturnType<typeof wrapped>

const given = (value: string | null | undefined): value is string => typeof value === 'string' && value.trim() !== ''

/** Both names of the card at once are refused, since nobody could say which one was meant. */
const twoCards = 'Payment profile: give either payment_profile_attributes or credit_card_attributes, not both.'

export function readSignup(body: unknown, site: Site): CreateSubscription {
  const tree = wrapped(body, 'subscription')
  const problems: string[] = []
  const fields = readFields(tree, problems)
  const customer = readCustomer(tree, fields, problems)
  const names = customer !== null && 'details' in customer ? customer.details : { firstName: '', lastName: '' }
  return {
    product: readProduct(fields),
    customer,
    card: readCardChoice(tree, fields, names, problems),
    collectionMethod: fields.payment_collection_method ?? 'automatic',
    nextBillingAt: readNextBilling(fields, site, problems),
    calendar: readCalendar(fields, problems),
    cancellationMessage: fields.cancellation_message ?? null,
    components: readChoices(fields.components),
    couponCode: given(fields.coupon_code) ? fields.coupon_code : null,
    vatNumber: given(fields.vat_number) ? fields.vat_number : null,
    metafields: gather(problems, () => readMetafieldValues(tree.metafields)) ?? [],
    customerMetafields: readCustomerMetafields(tree, customer, problems),
    problems,
  }
}

/** A field that cannot be read counts as absent, and hides none of the others. */
function readFields(tree: Tree, problems: string[]): Partial<Fields> {
  const all = gather(problems, () => readInput(signupInput, tree))
  if (all !== undefined) return all
  const readable = Object.entries(signupInput.shape).filter(([name, field]) => field.safeParse(tree[name]).success)
  return readInput(signupInput, Object.fromEntries(readable.map(([name]) => [name, tree[name]])))
}

/** Runs one reading and keeps what it complains about. */
function gather<Value>(problems: string[], read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error
    problems.push(...error.messages)
    return undefined
  }
}

/** Where both are given the handle counts: it is what the merchant chose. */
function readProduct(fields: Partial<Fields>): CreateSubscription['product'] {
  const { product_handle: handle, product_id: id } = fields
  if (given(handle)) return { handle }
  return id ? { id } : null
}

function readCustomer(tree: Tree, fields: Partial<Fields>, problems: string[]): CustomerChoice | null {
  if (fields.customer_id) return { id: fields.customer_id }
  if (given(fields.customer_reference)) return { reference: fields.customer_reference }
  const attributes = attributesOf(tree, 'customer_attributes')
  if (attributes === undefined) return null
  const details = gather(problems, (): CustomerDetails => readNewCustomer(attributes))
  if (details === undefined) return { details: unreadable }
  return { details: given(fields.vat_number) ? { ...details, vatNumber: fields.vat_number } : details }
}

/** Those of a customer who exists already are not touched by a sign-up. */
function readCustomerMetafields(
  tree: Tree,
  customer: CustomerChoice | null,
  problems: string[],
): NonNullable<CreateSubscription['customerMetafields']> {
  if (customer === null || !('details' in customer)) return []
  const attributes = attributesOf(tree, 'customer_attributes') as Tree | undefined
  return gather(problems, () => readMetafieldValues(attributes?.metafields)) ?? []
}

/** Both stand in for attributes that were refused, while the rest is looked at for its own problems; they are never written. */
const unreadable = { firstName: '', lastName: '', reference: null } as CustomerDetails
const unreadableCard = { number: null, imported: null } as NewPaymentProfile

function readCardChoice(
  tree: Tree,
  fields: Partial<Fields>,
  names: { firstName: string; lastName: string },
  problems: string[],
): CardChoice | null {
  const profile = attributesOf(tree, 'payment_profile_attributes')
  const card = attributesOf(tree, 'credit_card_attributes')
  if (profile !== undefined && card !== undefined) problems.push(twoCards)
  const attributes = profile ?? card
  if (attributes !== undefined) {
    const read = gather(problems, (): NewPaymentProfile => readCard(attributes, names))
    return { profile: read ?? unreadableCard }
  }
  return fields.payment_profile_id ? { profileId: fields.payment_profile_id } : null
}

/** An object that was sent and has something in it; null, blank and empty objects count as absent. */
function attributesOf(tree: Tree, name: string): object | undefined {
  const value = tree[name]
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : undefined
}

function readNextBilling(fields: Partial<Fields>, site: Site, problems: string[]): Temporal.Instant | null {
  const { next_billing_at: sent } = fields
  if (!given(sent)) return null
  const at = parseTimestamp(sent, { timeZone: site.timeZone })
  if (at === undefined) problems.push('Next billing: is not a date that can be read.')
  return at ?? null
}

export const snapDayRefused = "Snap day: must be a day from 1 to 28, or 'end'."

/** An object without a word in it counts as absent. */
function readCalendar({ calendar_billing: sent }: Partial<Fields>, problems: string[]): CalendarBilling | null {
  const { snap_day: day, calendar_billing_first_charge: firstCharge = null } = sent ?? {}
  if (!given(day)) {
    if (firstCharge !== null) problems.push('Snap day: cannot be blank.')
    return null
  }
  const snapDay = day.trim().toLowerCase()
  if (!isSnapDay(snapDay)) problems.push(snapDayRefused)
  return isSnapDay(snapDay) ? { snapDay, firstCharge: firstCharge ?? 'prorated' } : null
}
