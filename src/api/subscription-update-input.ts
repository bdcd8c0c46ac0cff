/** What a request may change of a subscription. Whole objects that are sent back change nothing: blanks and zeros are left out. */
import type { CardUpdate, UpdateSubscription } from '../actions/update-subscription.ts'
import { isSnapDay } from '../billing/calendar-billing.ts'
import { asCouponCodes } from '../billing/coupon.ts'
import type { CustomerDetails } from '../billing/customer.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Site } from '../billing/site.ts'
import { collectionMethodNames, collectionMethodOf } from '../billing/subscription.ts'
import {
  boolean,
  type Command,
  idNumber,
  isGiven,
  longTextMax,
  nested,
  object,
  oneOf,
  onlySent,
  readInput,
  text,
  wordsOf,
  type wrapped,
  wrappedChange,
} from '../wire/input.ts'
import { dateTextMax } from '../wire/timestamp.ts'
import { choicesInput, readQuantities } from './allocation-input.ts'
import { customPriceInput, readCustomPrice } from './custom-price-input.ts'
import { readCustomerChange } from './customer-input.ts'
import { readDate } from './date-input.ts'
import { isBankAccount, profileAttributes, readPaymentProfile, readProfileChange } from './payment-profile-input.ts'
import { Problems } from './problems.ts'
import {
  nextPricePointField,
  pricePointFields,
  readNextPricePoints,
  readPricePoints,
  readProductChoice,
} from './product-choice.ts'
import { refusedFields, refuseOtherCurrency } from './refused-fields.ts'
import { snapDayRefused } from './signup-input.ts'
import { detailsInput, readDetails } from './subscription-details-input.ts'

export const updateInput = object({
  product_handle: text('Product handle'),
  product_id: idNumber('Product'),
  ...pricePointFields,
  product_change_delayed: boolean('Product change delayed'),
  next_product_id: idNumber('Next product'),
  ...nextPricePointField,
  payment_profile_id: idNumber('Payment profile'),
  next_billing_at: text('Next billing', { max: dateTextMax }),
  initial_billing_at: text('Initial billing at', { max: dateTextMax }),
  defer_signup: boolean('Defer signup'),
  snap_day: text('Snap day', { max: 8 }),
  calendar_billing: nested('Calendar billing', { snap_day: text('Snap day', { max: 8 }) }),
  expires_at: text('Expires at', { max: dateTextMax }),
  expiration_tracks_next_billing_change: boolean('Expiration tracks next billing change'),
  cancel_at_end_of_period: boolean('Cancel at end of period'),
  cancellation_message: text('Cancellation message', { max: longTextMax }),
  reason_code: text('Reason code'),
  payment_collection_method: oneOf('Payment collection method', collectionMethodNames),
  vat_number: text('VAT number'),
  components: choicesInput,
  coupon_codes: wordsOf('Coupon codes', { max: 100 }),
  currency: text('Currency'),
  custom_price: customPriceInput,
  ...detailsInput,
  ...refusedFields.update,
})
type Fields = Command<typeof updateInput>
type Tree = ReturnType<typeof wrapped>

/** Whose subscription it is and what pays for it now. */
export type Present = { customer: { firstName: string; lastName: string }; card: PaymentProfile | null }

/** Throws `InputErrors` with everything that is wrong with the fields themselves. */
export function readUpdate(body: unknown, site: Site, present: Present): UpdateSubscription {
  const tree = wrappedChange(body, 'subscription', 'Subscription')
  const problems = new Problems()
  const fields: Partial<Fields> = problems.gather(() => readInput(updateInput, tree)) ?? {}
  problems.gather(() => refuseOtherCurrency(fields.currency, site))
  const customer = problems.gather(() => readCustomer(tree, fields))
  const named = { ...present, customer: { ...present.customer, ...customer } }
  const card = problems.gather(() => readCardUpdate(tree, fields, named, problems))
  const nextBillingAt = problems.gather(() => readDate(fields.next_billing_at, 'Next billing', site.timeZone))
  const initialBillingAt = problems.gather(() =>
    readDate(fields.initial_billing_at, 'Initial billing at', site.timeZone),
  )
  const expiresAt = problems.gather(() => readDate(unlessBlank(fields.expires_at), 'Expires at', site.timeZone))
  const snapDay = readSnapDay(fields, problems)
  const components = problems.gather(() => readQuantities(fields.components))
  const customPrice = problems.gather(() => readCustomPrice(fields.custom_price)) ?? null
  if (customPrice !== null && fields.product_change_delayed) problems.add(delayedPrice)
  problems.tell()
  const update = {
    nextBillingAt: nextBillingAt ?? undefined,
    initialBillingAt: initialBillingAt ?? (fields.defer_signup ? null : undefined),
    snapDay,
    expiresAt,
    expirationFollows: fields.expiration_tracks_next_billing_change ?? undefined,
    cancelAtEndOfPeriod: fields.cancel_at_end_of_period ?? undefined,
    cancellationMessage: unlessBlank(fields.cancellation_message),
    reasonCode: unlessBlank(fields.reason_code),
    collectionMethod: fields.payment_collection_method
      ? collectionMethodOf(fields.payment_collection_method)
      : undefined,
  }
  return {
    ...onlySent(update),
    details: readDetails(tree, fields),
    products: {
      product: readProductChoice(fields),
      pricePoints: readPricePoints(fields),
      nextPricePoints: readNextPricePoints(fields),
      customPrice,
      isDelayed: fields.product_change_delayed ?? false,
      ...readNext(tree, fields),
    },
    customer: customer ?? {},
    card: card ?? null,
    components: components ?? [],
    ...(fields.coupon_codes && { couponCodes: asCouponCodes(fields.coupon_codes) }),
  }
}

const delayedPrice = 'Custom price: does not go with product_change_delayed.'

/** Null clears, blank leaves. */
const unlessBlank = (value: string | null | undefined): string | null | undefined =>
  value === null || isGiven(value) ? value : undefined

function readSnapDay(fields: Partial<Fields>, problems: Problems): string | undefined {
  const sent = fields.snap_day ?? fields.calendar_billing?.snap_day
  if (!isGiven(sent)) return undefined
  const snapDay = sent.trim().toLowerCase()
  if (!isSnapDay(snapDay)) problems.add(snapDayRefused)
  return snapDay
}

/** The one field in which an empty string says something: it calls a delayed change off. */
function readNext(tree: Tree, { next_product_id: id }: Partial<Fields>): { nextProductId?: number | null } {
  if (id) return { nextProductId: id }
  const sent = tree.next_product_id
  return typeof sent === 'string' && sent.trim() === '' ? { nextProductId: null } : {}
}

function readCustomer(tree: Tree, { vat_number: vatNumber }: Partial<Fields>): Partial<CustomerDetails> {
  const attributes = attributesOf(tree, 'customer_attributes')
  const details = attributes === undefined ? {} : readCustomerChange(withoutBlanks(attributes))
  return isGiven(vatNumber) ? { ...details, vatNumber } : details
}

/** A number, or the token of another one, is a new card or bank account; what else is said corrects the one that there is. */
function readCardUpdate(
  tree: Tree,
  { payment_profile_id: profileId }: Partial<Fields>,
  { card, customer }: Present,
  problems: Problems,
): CardUpdate | null {
  const sent = withoutBlanks(profileAttributes((name) => attributesOf(tree, name), problems) ?? {})
  if (sent.full_number === card?.maskedCardNumber) delete sent.full_number
  if (sent.bank_account_number === card?.maskedBankAccountNumber) delete sent.bank_account_number
  if (sent.vault_token === card?.vaultToken) delete sent.vault_token
  const isNumbered = ['full_number', 'bank_account_number', 'bank_iban', 'vault_token'].some((name) => name in sent)
  const isOtherKind = card?.paymentType !== 'bank_account' && isBankAccount(sent)
  if (isNumbered || isOtherKind) return { profile: readPaymentProfile(sent, customer) }
  const { details } = readProfileChange(sent, card)
  if (Object.keys(details).length > 0) return { change: details }
  return profileId ? { profileId } : null
}

/** An object that was sent; anything else counts as absent. */
function attributesOf(tree: Tree, name: string): object | undefined {
  const value = tree[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? value
    : undefined
}

const withoutBlanks = (tree: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tree).filter(([, value]) => value !== 0 && (typeof value !== 'string' || isGiven(value))),
  )
