/** What a webhook of each kind tells beside the id of its event. */
const subscription = ['site', 'subscription']
const payer = [...subscription, 'product', 'customer', 'previous_payment_profile', 'updated_payment_profile']
const notice = [
  'customer',
  'email_sent',
  'estimated_renewal_amount_in_cents',
  'message',
  'payment_profile',
  'product',
  'site',
  'subscription',
]
const statement = ['site', 'subscription', 'customer', 'statement', 'product', 'product_family', 'payment_profile']
const refund = [
  'amount_in_cents',
  'customer_id',
  'customer_email',
  'customer_name',
  'customer_reference',
  'gateway_transaction_id',
  'gateway_order_id',
  'gateway_used',
  'masked_card_number',
  'memo',
  'payment_amount_in_cents',
  'payment_id',
  'subscription_id',
  'timestamp',
]
const component = ['site', 'component', 'subscription', 'product']
const field = ['event_type', 'metafield_name', 'metafield_id', 'old_value', 'new_value', 'resource_type', 'resource_id']
/** What is known of money that did not come as it should. */
const strayMoney = ['payment_attempt_id', 'amount_in_cents', 'gateway', 'reason']

/** The fields of the payload in their order, the id of the event left out, by the key of the event. */
export const tellings: Record<string, string[]> = {
  signup_success: subscription,
  invoice_issued: subscription,
  signup_failure: subscription,
  delayed_signup_creation_success: subscription,
  renewal_success: subscription,
  renewal_failure: subscription,
  payment_success: [...subscription, 'transaction'],
  payment_failure: [...subscription, 'transaction'],
  dunning_step_reached: ['dunner', 'current_step', 'next_step', ...subscription, 'customer', 'product'],
  billing_date_change: subscription,
  expiration_date_change: subscription,
  subscription_state_change: subscription,
  subscription_deletion: subscription,
  expiring_card: subscription,
  subscription_parked: subscription,
  gateway_failing: ['site', 'gateway'],
  gateway_recovered: ['site', 'gateway'],
  late_payment_recorded: [...subscription, ...strayMoney],
  late_payment_given_back: [...subscription, ...strayMoney],
  payment_unresolved: [...subscription, ...strayMoney],
  subscription_product_change: [...subscription, 'previous_product'],
  upgrade_downgrade_success: [...subscription, 'previous_product'],
  upgrade_downgrade_failure: [...subscription, 'target_product'],
  subscription_card_update: payer,
  subscription_bank_account_update: payer,
  customer_create: ['site', 'customer'],
  customer_update: ['site', 'customer'],
  customer_delete: ['site', 'customer'],
  component_allocation_change: [...component, 'previous_allocation', 'new_allocation', 'memo', 'timestamp'],
  metered_usage: [...component, 'previous_unit_balance', 'new_unit_balance', 'usage_quantity', 'memo', 'timestamp'],
  upcoming_renewal_notice: notice,
  trial_end_notice: notice,
  statement_closed: statement,
  statement_settled: statement,
  refund_success: ['site', 'refund_id', ...refund],
  refund_failure: ['site', 'errors', ...refund],
  pending_cancellation_change: [...subscription, 'cancellation_state', 'cancels_at'],
  payment_collection_method_changed: [...subscription, 'previous_value', 'current_value'],
  custom_field_value_change: ['site', 'customer', ...field],
}
