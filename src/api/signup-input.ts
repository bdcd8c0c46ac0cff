/** What a request to create a subscription may say; everything that is wrong with it is gathered, and told at once. */
import type { CreateSubscription } from '../actions/create-subscription.ts'
import type { CardChoice, CustomerChoice } from '../actions/signup-parties.ts'
import type { NewPaymentProfile } from '../actions/store-card.ts'
import { type CalendarBilling, firstCharges, isSnapDay } from '../billing/calendar-billing.ts'
import { asCouponCodes } from '../billing/coupon.ts'
import type { CustomerDetails } from '../billing/customer.ts'
import type { History } from '../billing/history.ts'
import type { SignupDelay } from '../billing/signup.ts'
import type { Site } from '../billing/site.ts'
import { collectionMethodNames, collectionMethodOf } from '../billing/subscription.ts'
import {
  boolean,
  type Command,
  idNumber,
  isGiven,
  nested,
  object,
  oneOf,
  readInput,
  text,
  wordsOf,
  wrapped,
} from '../wire/input.ts'
import { dateTextMax } from '../wire/timestamp.ts'
import { choicesInput, readChoices } from './allocation-input.ts'
import { customPriceInput, readCustomPrice } from './custom-price-input.ts'
import { readNewCustomer, readPartialCustomer } from './customer-input.ts'
import { readDate } from './date-input.ts'
import { readMetafieldValues } from './metadata-input.ts'
import { profileAttributes, readPaymentProfile } from './payment-profile-input.ts'
import { Problems } from './problems.ts'
import { pricePointFields, readPricePoints, readProductChoice } from './product-choice.ts'
import { refusedFields, refuseOtherCurrency } from './refused-fields.ts'
import { detailsInput, readDetails } from './subscription-details-input.ts'

export const signupInput = object({
  product_handle: text('Product handle'),
  product_id: idNumber('Product'),
  ...pricePointFields,
  customer_id: idNumber('Customer'),
  customer_reference: text('Customer reference'),
  payment_profile_id: idNumber('Payment profile'),
  cancellation_message: text('Cancellation message', { max: 65_535 }),
  next_billing_at: text('Next billing', { max: dateTextMax }),
  previous_billing_at: text('Previous billing at', { max: dateTextMax }),
  activated_at: text('Activated at', { max: dateTextMax }),
  initial_billing_at: text('Initial billing at', { max: dateTextMax }),
  defer_signup: boolean('Defer signup'),
  expires_at: text('Expires at', { max: dateTextMax }),
  vat_number: text('VAT number'),
  coupon_code: text('Coupon code'),
  coupon_codes: wordsOf('Coupon codes', { max: 100 }),
  components: choicesInput,
  payment_collection_method: oneOf('Payment collection method', collectionMethodNames),
  // There are no referrals, so that every code of one is unknown.
  ref: text('Referral code').refine((code) => !isGiven(code), 'Referral code is invalid.'),
  // Where older clients say it.
  calendar_billing_first_charge: oneOf('Calendar billing first charge', firstCharges),
  calendar_billing: nested('Calendar billing', {
    snap_day: text('Snap day', { max: 8 }),
    calendar_billing_first_charge: oneOf('Calendar billing first charge', firstCharges),
  }),
  currency: text('Currency'),
  custom_price: customPriceInput,
  ...detailsInput,
  ...refusedFields.signup,
})
type Fields = Command<typeof signupInput>

type Tree = ReturnType<typeof wrapped>

/** Nobody signs up by a rehearsal: what it says of a customer need not be all that one needs. */
export const readSignupPreview = (body: unknown, site: Site): CreateSubscription =>
  readSignup(body, site, { readPerson: readPartialCustomer })

export function readSignup(body: unknown, site: Site, { readPerson = readNewCustomer } = {}): CreateSubscription {
  const tree = wrapped(body, 'subscription')
  const problems = new Problems()
  const fields = readFields(tree, problems)
  problems.gather(() => refuseOtherCurrency(fields.currency, site))
  const customer = readCustomer(tree, fields, problems, readPerson)
  const names = customer !== null && 'details' in customer ? customer.details : { firstName: '', lastName: '' }
  return {
    product: readProductChoice(fields),
    pricePoints: readPricePoints(fields),
    customPrice: problems.gather(() => readCustomPrice(fields.custom_price)) ?? null,
    customer,
    card: readCardChoice(tree, fields, names, problems),
    collectionMethod: collectionMethodOf(fields.payment_collection_method ?? 'automatic'),
    nextBillingAt: problems.gather(() => readDate(fields.next_billing_at, 'Next billing', site.timeZone)) ?? null,
    history: readHistory(fields, site, problems),
    delay: readDelay(fields, site, problems),
    expiresAt: problems.gather(() => readDate(fields.expires_at, 'Expires at', site.timeZone)) ?? null,
    calendar: readCalendar(fields, problems),
    details: readDetails(tree, fields),
    cancellationMessage: fields.cancellation_message ?? null,
    components: readChoices(fields.components),
    couponCode: isGiven(fields.coupon_code) ? fields.coupon_code : null,
    couponCodes: asCouponCodes(fields.coupon_codes ?? []),
    vatNumber: isGiven(fields.vat_number) ? fields.vat_number : null,
    metafields: problems.gather(() => readMetafieldValues(tree.metafields)) ?? [],
    customerMetafields: readCustomerMetafields(tree, customer, problems),
    problems: problems.messages,
  }
}

/** A field that cannot be read counts as absent, and hides none of the others. */
function readFields(tree: Tree, problems: Problems): Partial<Fields> {
  const all = problems.gather(() => readInput(signupInput, tree))
  if (all !== undefined) return all
  const readable = Object.entries(signupInput.shape).filter(([name, field]) => field.safeParse(tree[name]).success)
  return readInput(signupInput, Object.fromEntries(readable.map(([name]) => [name, tree[name]])))
}

function readCustomer(
  tree: Tree,
  fields: Partial<Fields>,
  problems: Problems,
  readPerson: (attributes: unknown) => CustomerDetails,
): CustomerChoice | null {
  if (fields.customer_id) return { id: fields.customer_id }
  if (isGiven(fields.customer_reference)) return { reference: fields.customer_reference }
  const attributes = attributesOf(tree, 'customer_attributes')
  if (attributes === undefined) return null
  const details = problems.gather(() => readPerson(attributes))
  if (details === undefined) return { details: unreadable }
  return { details: isGiven(fields.vat_number) ? { ...details, vatNumber: fields.vat_number } : details }
}

/** Those of a customer who exists already are not touched by a sign-up. */
function readCustomerMetafields(
  tree: Tree,
  customer: CustomerChoice | null,
  problems: Problems,
): NonNullable<CreateSubscription['customerMetafields']> {
  if (customer === null || !('details' in customer)) return []
  const attributes = attributesOf(tree, 'customer_attributes') as Tree | undefined
  return problems.gather(() => readMetafieldValues(attributes?.metafields)) ?? []
}

/** Both stand in for attributes that were refused, while the rest is looked at for its own problems; they are never written. */
const unreadable = { firstName: '', lastName: '', reference: null } as CustomerDetails
const unreadableCard = { number: null, imported: null } as NewPaymentProfile

function readCardChoice(
  tree: Tree,
  fields: Partial<Fields>,
  names: { firstName: string; lastName: string },
  problems: Problems,
): CardChoice | null {
  const attributes = profileAttributes((name) => attributesOf(tree, name), problems)
  if (attributes !== undefined) {
    const read = problems.gather((): NewPaymentProfile => readPaymentProfile(attributes, names))
    return { profile: read ?? unreadableCard }
  }
  return fields.payment_profile_id ? { profileId: fields.payment_profile_id } : null
}

/** An object that was sent and has something in it; null, blank and empty objects count as absent. */
function attributesOf(tree: Tree, name: string): object | undefined {
  const value = tree[name]
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : undefined
}

function readHistory(fields: Partial<Fields>, { timeZone }: Site, problems: Problems): History {
  const previous = problems.gather(() => readDate(fields.previous_billing_at, 'Previous billing at', timeZone))
  const activated = problems.gather(() => readDate(fields.activated_at, 'Activated at', timeZone))
  return { previousBillingAt: previous ?? null, activatedAt: activated ?? null }
}

/** With a date it begins then, whatever is said of deferring it. */
function readDelay(fields: Partial<Fields>, site: Site, problems: Problems): SignupDelay | null {
  const until = problems.gather(() => readDate(fields.initial_billing_at, 'Initial billing at', site.timeZone)) ?? null
  return until !== null || fields.defer_signup ? { until } : null
}

export const snapDayRefused = "Snap day: must be a day from 1 to 28, or 'end'."

/** An object without a word in it counts as absent. */
function readCalendar(fields: Partial<Fields>, problems: Problems): CalendarBilling | null {
  const { calendar_billing: sent, calendar_billing_first_charge: beside = null } = fields
  const { snap_day: day, calendar_billing_first_charge: inside } = sent ?? {}
  const firstCharge = inside ?? beside
  if (!isGiven(day)) {
    if (firstCharge !== null) problems.add('Snap day: cannot be blank.')
    return null
  }
  const snapDay = day.trim().toLowerCase()
  if (!isSnapDay(snapDay)) problems.add(snapDayRefused)
  return isSnapDay(snapDay) ? { snapDay, firstCharge: firstCharge ?? 'prorated' } : null
}
