/** The things that webhooks tell of, each in the form that receivers know: subscription, card, statement, transaction, refund. */
import type { Product } from '../billing/catalog.ts'
import { type Customer, fullName } from '../billing/customer.ts'
import type { EventData, SiteEvent } from '../billing/event.ts'
import type { Transaction } from '../billing/ledger.ts'
import type { LetterKind } from '../billing/letter.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Site } from '../billing/site.ts'
import type { FormTree, FormValue } from '../wire/form.ts'
import { customerShape, presentCustomer } from './customer.ts'
import { paymentProfileShape, presentPaymentProfile } from './payment-profile.ts'
import { presentProduct, productShape } from './product.ts'
import { presentStatementFacts, statementShape } from './statement.ts'
import { presentSubscription, subscriptionShape } from './subscription.ts'
import { presentTransaction, transactionShape } from './transaction.ts'
import { pick, webhookTime, webhookTree, webhookUtc } from './webhook-tree.ts'

type SubscriptionRecord = Parameters<typeof presentSubscription>[0]
type TransactionRecord = Parameters<typeof presentTransaction>[0]
type StatementRecord = Parameters<typeof presentStatementFacts>[0] & {
  transactions: readonly TransactionRecord[]
  events: readonly { id: number; key: string; message: string }[]
}

/** An event with everything around it as it stands at the end of its act. What its kind does not tell of may be missing. */
export type Told = {
  event: SiteEvent & { id: number }
  site: Pick<Site, 'id' | 'subdomain' | 'timeZone' | 'currency'>
  record?: SubscriptionRecord | undefined
  /** The subscription's state before the act. */
  previousState?: string | undefined
  customer?: Customer | undefined
  transaction?: TransactionRecord | undefined
  /** The payment that a refund gives back. */
  payment?: Transaction | undefined
  statement?: StatementRecord | undefined
  /** Kinds of letters that the site does not send; asked for where a notice is told. */
  switchedOff: readonly LetterKind[]
  /** The product that was left or wanted. */
  product?: Product | undefined
  previousProfile?: PaymentProfile | null | undefined
}

export const sitePart = ({ site }: Told): FormTree => ({ id: site.id, subdomain: site.subdomain })

/** With customer, product and card, and with the state before the act. */
export function subscriptionPart({ record, previousState, site }: Told): FormTree | null {
  if (record === undefined) return null
  const { unsettled_payment: _, credit_card, bank_account, ...shown } = presentSubscription(record, site)
  const kind = record.card?.paymentType ?? 'credit_card'
  const payer = record.card && { [kind]: profilePart(record.card) }
  return webhookTree({ ...shown, ...payer, previous_state: previousState ?? shown.state }, subscriptionShape)
}

/** Of a bank account it says that it is one; a card is told as it always was. */
export function profilePart(profile: PaymentProfile | null | undefined): FormTree | null {
  if (!profile) return null
  const { payment_type: kind, created_at: _, updated_at: __, ...shown } = presentPaymentProfile(profile, 'UTC')
  return webhookTree({ ...shown, ...(kind !== 'credit_card' && { payment_type: kind }) }, paymentProfileShape)
}

export const customerPart = ({ customer, record, site }: Told): FormTree | null => {
  const known = customer ?? record?.customer
  return known ? webhookTree(presentCustomer(known, site.timeZone), customerShape) : null
}

export const transactionPart = ({ transaction, site }: Told): FormTree | null =>
  transaction
    ? { ...webhookTree(presentTransaction(transaction, site.timeZone), transactionShape), invoice_id: null }
    : null

export const productPart = ({ product }: Told): FormTree | null =>
  product ? { id: product.id, name: product.name, handle: product.handle } : null

/** The product of the subscription, with all that the API shows of it. */
export const soldProductPart = ({ record, site }: Told): FormTree | null =>
  record ? webhookTree(presentProduct(record.product, record.family, site.timeZone), productShape) : null

/** What the event's data says of a dunning and its steps; their times, UTC there, are those of the site here. */
export function dunningParts({ event, site }: Told): FormTree {
  const { dunner, current_step, next_step } = (event.eventSpecificData ?? {}) as { [name: string]: EventData | null }
  const local = (name: string) => webhookTime(Temporal.Instant.from(String(dunner?.[name])), site.timeZone)
  const part = (data: EventData | null | undefined) => (data ? webhookTree(data, { fields: {} }) : null)
  return {
    dunner: part(
      dunner && { ...dunner, created_at: local('created_at'), last_attempted_at: local('last_attempted_at') },
    ),
    current_step: part(current_step),
    next_step: part(next_step),
  }
}

export function statementPart({ statement, site }: Told): FormTree | null {
  if (statement === undefined) return null
  return {
    ...webhookTree(presentStatementFacts(statement, site.timeZone), statementShape),
    events: statement.events.map(({ id, key, message }) => ({ id, key, message })),
    transactions: statement.transactions.map((one) =>
      webhookTree(presentTransaction(one, site.timeZone), transactionShape),
    ),
  }
}

/** A statement's telling names those around it in short. */
export function shortParts(told: Told): FormTree {
  const { record } = told
  const profile = profilePart(record?.card)
  return {
    subscription: record
      ? {
          id: record.subscription.id,
          state: record.subscription.state,
          balance_in_cents: record.subscription.balance,
        }
      : null,
    customer: customerPart(told),
    product: record ? { id: record.product.id, name: record.product.name } : null,
    product_family: record ? { id: record.family.id, name: record.family.name } : null,
    payment_profile: profile && billingPart(profile),
  }
}

const billingPart = (card: FormTree): FormTree =>
  pick(
    card,
    'id',
    'first_name',
    'last_name',
    'billing_address',
    'billing_address_2',
    'billing_city',
    'billing_state',
    'billing_zip',
    'billing_country',
  )

/** `errors` are there when the refund failed, its id when it did not. */
export function refundParts({ transaction, payment, record, event }: Told): FormTree {
  const refund = transaction?.transaction
  const customer = record?.customer
  const failed: Record<string, FormValue> = { errors: [refund?.memo ?? ''] }
  return {
    ...(event.key === 'refund_success' ? { refund_id: refund?.id ?? null } : failed),
    amount_in_cents: refund?.amount ?? null,
    customer_id: event.customerId,
    customer_email: customer?.email ?? null,
    customer_name: customer ? fullName(customer) : null,
    customer_reference: customer?.reference ?? null,
    gateway_transaction_id: event.eventSpecificData?.gateway_transaction_id ?? null,
    gateway_order_id: null,
    gateway_used: refund?.gatewayUsed ?? null,
    masked_card_number: payment?.cardNumber ?? null,
    memo: refund?.memo ?? null,
    payment_amount_in_cents: payment?.amount ?? null,
    payment_id: payment?.id ?? null,
    subscription_id: event.subscriptionId,
    timestamp: webhookUtc(event.createdAt),
  }
}
