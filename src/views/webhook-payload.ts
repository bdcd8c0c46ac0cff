/** What a webhook of each event tells: one payload per key, ending with the id of the event. */
import { fullName } from '../billing/customer.ts'
import type { EventData, EventKey } from '../billing/event.ts'
import { isNoticeSent } from '../billing/letter.ts'
import type { FormTree } from '../wire/form.ts'
import { formatUtc } from '../wire/timestamp.ts'
import {
  customerPart,
  dunningParts,
  productPart,
  profilePart,
  refundParts,
  shortParts,
  sitePart,
  soldProductPart,
  statementPart,
  subscriptionPart,
  type Told,
  transactionPart,
} from './webhook-parts.ts'
import { pick, webhookTime } from './webhook-tree.ts'

export type { Told } from './webhook-parts.ts'

type Payload = (told: Told) => FormTree

const site: Payload = (told) => ({ site: sitePart(told) })
const withSubscription: Payload = (told) => ({ ...site(told), subscription: subscriptionPart(told) })
const withCustomer: Payload = (told) => ({ ...site(told), customer: customerPart(told) })
const withTransaction: Payload = (told) => ({ ...withSubscription(told), transaction: transactionPart(told) })
const withPreviousProduct: Payload = (told) => ({ ...withSubscription(told), previous_product: productPart(told) })
const dataOf = ({ event }: Told): EventData => event.eventSpecificData ?? {}

/** Nothing was begun, so nothing is active or due. */
const withFailedSignup: Payload = (told) => ({
  ...site(told),
  subscription: {
    ...subscriptionPart({ ...told, previousState: 'failed_to_create' }),
    state: 'failed_to_create',
    activated_at: null,
    next_assessment_at: null,
  },
})

/** The date before the change is the last field of the subscription. */
const withPreviousDate =
  (name: string): Payload =>
  (told) => ({
    ...site(told),
    subscription: {
      ...subscriptionPart(told),
      [name]: webhookTime(told.event.particulars?.previousAt, told.site.timeZone),
    },
  })

const withStatement: Payload = (told) => {
  const { subscription, customer, ...rest } = shortParts(told)
  return {
    ...site(told),
    subscription: subscription ?? null,
    customer: customer ?? null,
    statement: statementPart(told),
    ...rest,
  }
}

const withProfiles: Payload = (told) => {
  const { subscription } = shortParts(told)
  const { record } = told
  const customer = customerPart(told)
  return {
    ...site(told),
    subscription: subscription ?? null,
    product: record
      ? {
          id: record.product.id,
          name: record.product.name,
          product_family_id: record.family.id,
          product_family_name: record.family.name,
        }
      : null,
    customer: customer && pick(customer, 'id', 'first_name', 'last_name', 'reference', 'organization', 'email'),
    previous_payment_profile: profilePart(told.previousProfile),
    updated_payment_profile: profilePart(record?.card),
  }
}

/** Around what changed: `change` names its fields among the event's data. */
const withComponent =
  (...change: string[]): Payload =>
  (told) => {
    const { event, record } = told
    const component = event.particulars?.component
    return {
      ...site(told),
      component: component
        ? { id: component.id, name: component.name, unit_name: component.unitName, kind: component.kind }
        : null,
      subscription: record ? { id: record.subscription.id, name: fullName(record.customer) } : null,
      product: record ? { id: record.product.id, name: record.product.name } : null,
      ...pick(dataOf(told), ...change, 'memo'),
      timestamp: formatUtc(event.createdAt),
    }
  }

const withNotice: Payload = (told) => {
  const { event, record, site: home } = told
  const card = profilePart(record?.card)
  return {
    customer: customerPart(told),
    email_sent: isNoticeSent(event.key, told.switchedOff),
    estimated_renewal_amount_in_cents: event.particulars?.estimatedAmount ?? null,
    message: event.message.slice(0, event.message.indexOf(' for ')),
    payment_profile:
      card &&
      pick(
        card,
        'id',
        'first_name',
        'last_name',
        'card_type',
        'masked_card_number',
        'expiration_month',
        'expiration_year',
        'bank_name',
        'masked_bank_account_number',
        'payment_type',
      ),
    product: soldProductPart(told),
    ...site(told),
    subscription: record
      ? {
          id: record.subscription.id,
          state: record.subscription.state,
          current_period_ends_at: webhookTime(record.subscription.currentPeriodEndsAt, home.timeZone),
        }
      : null,
  }
}

const withDunning: Payload = (told) => ({
  ...dunningParts(told),
  ...withSubscription(told),
  customer: customerPart(told),
  product: soldProductPart(told),
})

/** The data of the event, beside the subscription or the customer that it is about. */
const withData: Payload = (told) => ({
  ...(told.event.subscriptionId === null ? withCustomer(told) : withSubscription(told)),
  ...dataOf(told),
})

/** A sign-up that came to nothing has no subscription. */
function withStrayMoney(told: Told): FormTree {
  const about = told.event.subscriptionId === null ? { ...site(told) } : withSubscription(told)
  return { ...about, ...dataOf(told) }
}

/** The moment, UTC in the event's data, is the site's here. */
function withCancellation(told: Told): FormTree {
  const { cancels_at: at } = dataOf(told)
  const moment = typeof at === 'string' ? webhookTime(Temporal.Instant.from(at), told.site.timeZone) : null
  return { ...withData(told), cancels_at: moment }
}

const payloads: Readonly<Record<EventKey, Payload>> = {
  signup_success: withSubscription,
  signup_failure: withFailedSignup,
  delayed_signup_creation_success: withSubscription,
  renewal_success: withSubscription,
  renewal_failure: withSubscription,
  payment_success: withTransaction,
  payment_failure: withTransaction,
  dunning_step_reached: withDunning,
  billing_date_change: withPreviousDate('previous_billing_date'),
  expiration_date_change: withPreviousDate('previous_expires_at'),
  subscription_state_change: withSubscription,
  subscription_deletion: withSubscription,
  subscription_product_change: withPreviousProduct,
  upgrade_downgrade_success: withPreviousProduct,
  upgrade_downgrade_failure: (told) => ({ ...withSubscription(told), target_product: productPart(told) }),
  expiring_card: withSubscription,
  subscription_card_update: withProfiles,
  subscription_bank_account_update: withProfiles,
  customer_create: withCustomer,
  customer_update: withCustomer,
  customer_delete: withCustomer,
  component_allocation_change: withComponent('previous_allocation', 'new_allocation'),
  metered_usage: withComponent('previous_unit_balance', 'new_unit_balance', 'usage_quantity'),
  upcoming_renewal_notice: withNotice,
  trial_end_notice: withNotice,
  statement_closed: withStatement,
  statement_settled: withStatement,
  invoice_issued: withSubscription,
  refund_success: (told) => ({ ...site(told), ...refundParts(told) }),
  refund_failure: (told) => ({ ...site(told), ...refundParts(told) }),
  pending_cancellation_change: withCancellation,
  payment_collection_method_changed: withData,
  custom_field_value_change: withData,
  subscription_parked: withSubscription,
  late_payment_recorded: withStrayMoney,
  late_payment_given_back: withStrayMoney,
  payment_unresolved: withStrayMoney,
  webhook_endpoint_failing: (told) => ({ ...site(told), ...dataOf(told) }),
  webhook_endpoint_recovered: (told) => ({ ...site(told), ...dataOf(told) }),
  gateway_failing: (told) => ({ ...site(told), ...dataOf(told) }),
  gateway_recovered: (told) => ({ ...site(told), ...dataOf(told) }),
}

export const presentWebhookPayload = (told: Told): FormTree => ({
  ...payloads[told.event.key](told),
  event_id: told.event.id,
})
