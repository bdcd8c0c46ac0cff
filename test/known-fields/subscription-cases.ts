/** Sign-ups, changes and acts. */
import { ada, goodCard } from '../api/shop.ts'
import type { Say } from '../api/two-formats.ts'
import { accountsOfSubscription } from './account-cases.ts'
import type { Case, Cases, Opened } from './cases.ts'
import { card, cvv, ofOneKind, ownTrial, priceNeeds, priceValues, seats, vaultNeeds } from './subscription-parts.ts'
import { done, readsOf, subscribed, type World } from './world.ts'

const signup: Case['open'] = async () => ({
  line: 'POST /subscriptions',
  root: 'subscription',
  body: { product_handle: 'monthly', customer_attributes: ada, payment_profile_attributes: goodCard },
  reads: ({ subscription }) => readsOf(subscription),
})

const existing = ({ otherCustomerId }: World) => ({ customer_id: otherCustomerId, customer_attributes: undefined })
const imported = () => ({ next_billing_at: '2027-02-01T12:00:00Z' })
const ownCard = (world: World) => ({ ...existing(world), payment_profile_attributes: undefined })
const byOldName = () => ({ payment_profile_attributes: undefined, credit_card_attributes: goodCard })
const oldNameNeeds = Object.fromEntries(
  [
    ...['first_name', 'last_name', 'full_number', 'expiration_month', 'expiration_year', 'billing_address'],
    ...['billing_address_2', 'billing_city', 'billing_state', 'billing_zip', 'billing_country'],
    ...['chargify_token', 'payment_method_nonce'],
  ].map((name) => [`credit_card_attributes.${name}`, byOldName]),
)

const values: NonNullable<Case['values']> = {
  product_handle: () => ['with-setup-fee'],
  product_id: ({ shop }) => [shop.productIds['with-setup-fee']],
  customer_id: ({ otherCustomerId }) => [otherCustomerId],
  customer_reference: () => ['bea'],
  previous_billing_at: () => ['2027-01-01T12:00:00Z'],
  activated_at: () => ['2026-01-01T12:00:00Z'],
  coupon_code: () => ['SPRING'],
  coupon_codes: () => [['SPRING']],
  'calendar_billing.snap_day': () => ['1'],
  'customer_attributes.country': () => ['DE'],
  'customer_attributes.locale': () => ['de-AT'],
  'customer_attributes.reference': ({ unique }) => [unique()],
  reference: ({ unique }) => [unique()],
  defer_signup: () => [true],
  ...priceValues,
  ...card('payment_profile_attributes'),
  ...card('credit_card_attributes'),
  ...accountsOfSubscription.values,
}
/** Every one but that of the product: test/api/price-points.test.ts. */
const pricePoints = ['product_price_point_id', 'product_price_point_handle']
const signupCase: Case = {
  open: signup,
  values: { ...values, payment_profile_id: ({ otherCardId }) => [otherCardId] },
  with: {
    product_id: () => ({ product_handle: undefined }),
    customer_id: () => ({ customer_attributes: undefined }),
    customer_reference: () => ({ customer_attributes: undefined }),
    payment_profile_id: ownCard,
    previous_billing_at: imported,
    activated_at: imported,
    'calendar_billing.calendar_billing_first_charge': () => ({ calendar_billing: { snap_day: '1' } }),
    calendar_billing_first_charge: () => ({ calendar_billing: { snap_day: '1' } }),
    ...oldNameNeeds,
    ...vaultNeeds('payment_profile_attributes', 'credit_card_attributes'),
    ...vaultNeeds('credit_card_attributes', 'payment_profile_attributes'),
    ...accountsOfSubscription.with,
    ...priceNeeds,
  },
  refused: ['currency', 'ref', 'components.price_point_id', ...pricePoints],
  apart: [...cvv, ...ofOneKind, ...accountsOfSubscription.apart],
}

/** Acts on a subscription that is there, after what was done to it first. */
const on =
  (line: string, root: string | null, options: Options = {}): Case['open'] =>
  async (world: World, say: Say): Promise<Opened> => {
    const subscription = await subscribed(
      say,
      typeof options.changes === 'function' ? options.changes(world) : options.changes,
    )
    const path = `/subscriptions/${subscription.id}`
    for (const [first, tree] of options.first ?? []) await done(say, first.replace('/subscriptions/:id', path), tree)
    return {
      line: line
        .replace('/subscriptions/:id', path)
        .replace(':component', String(world.componentIds[options.of ?? 'seats'])),
      root,
      body: options.body?.(world) ?? {},
      reads: readsOf(subscription),
    }
  }

type Options = {
  readonly changes?: object | ((world: World) => object)
  readonly first?: readonly [line: string, tree?: object][]
  readonly body?: (world: World) => object
  readonly of?: keyof World['componentIds']
}

const owing: [string, object] = [
  'POST /subscriptions/:id/adjustments',
  { adjustment: { amount: '5.00', memo: 'Late' } },
]
const canceled: Options = { first: [owing, ['DELETE /subscriptions/:id']] }
const held: Options = { first: [['POST /subscriptions/:id/hold', { hold: {} }]] }
const moved = { product_id: ({ shop }: World) => [shop.productIds.free], product_handle: () => ['free'] }
const migrationNeeds = {
  product_id: () => ({ product_handle: undefined }),
  include_trial: () => ({ product_handle: 'paid-trial' }),
  include_initial_charge: () => ({ product_handle: 'with-setup-fee' }),
}
const migration = (line: string): Case => ({
  open: on(line, 'migration', {
    body: () => ({ product_handle: 'with-setup-fee' }),
    changes: { coupon_code: 'SPRING' },
  }),
  values: moved,
  with: migrationNeeds,
  refused: pricePoints,
})
const downSchemes = ['proration_downgrade_scheme', 'downgrade_credit', 'downgrade_charge']

const inList = (terms: object) => (world: World) => ({
  allocations: [{ component_id: world.componentIds.seats, quantity: 6, ...terms }],
})
const outside = (terms: object) => (world: World) => ({ ...inList({})(world), ...terms })
const allocations = (line: string): Case => ({
  open: on(line, null, {
    changes: seats,
    body: inList({}),
  }),
  values: {
    'allocations.component_id': ({ componentIds }) => [componentIds.support],
    'allocations.quantity': () => [9],
  },
  with: Object.fromEntries([
    ['allocations.component_id', inList({ quantity: 1 })],
    ...downSchemes.flatMap((name) => [
      [name, inList({ quantity: 1 })],
      [`allocations.${name}`, inList({ quantity: 1 })],
    ]),
    ['accrue_charge', outside({ upgrade_charge: 'prorated' })],
    ['allocations.accrue_charge', inList({ upgrade_charge: 'prorated' })],
  ]),
  // Every price point but that of the component: test/api/price-points.test.ts.
  refused: ['allocations.price_point_id'],
})

const handlesAndEnds = ['custom_price.handle', 'custom_price.expiration_interval']
const trialNeeds = (name: string): [string, () => object] => [
  `custom_price.${name}`,
  () => ({ custom_price: { ...ownTrial(name)().custom_price, initial_charge_in_cents: undefined } }),
]
const atSignup = ['initial_charge_in_cents', 'initial_charge_after_trial', 'expiration_interval'].map(
  (name) => `custom_price.${name}`,
)
const awaiting = ['initial_billing_at', 'defer_signup']

/** What a rehearsal of a sign-up depends on; the rest of it is checked as at the sign-up and shown nowhere. */
const rehearsed = [
  ...['product_handle', 'product_id', 'next_billing_at', 'coupon_code', 'coupon_codes', 'currency'],
  ...['components', 'calendar_billing', 'calendar_billing_first_charge', ...pricePoints, 'custom_price'],
  ...['initial_billing_at', 'group', 'offer_id', 'prepaid_configuration'],
]

const suppose = ({ componentIds }: World) => ({ components: [{ component_id: componentIds.seats, quantity: 5 }] })

export const subscriptionCases: Cases = {
  'POST /subscriptions': signupCase,
  'POST /subscriptions/preview': {
    ...signupCase,
    open: async () => ({
      line: 'POST /subscriptions/preview',
      root: 'subscription',
      body: { product_handle: 'monthly', customer_attributes: ada, payment_profile_attributes: goodCard },
    }),
    only: rehearsed,
    // Names and ends are shown of the subscription alone.
    apart: ['components.unit_balance', 'components.custom_price.prices', 'custom_price.name', ...handlesAndEnds],
  },
  'PUT /subscriptions/:subscription_id': {
    open: on('PUT /subscriptions/:id', 'subscription', { changes: { calendar_billing: { snap_day: '15' } } }),
    values: {
      ...values,
      next_product_id: ({ shop }) => [shop.productIds['with-setup-fee']],
      snap_day: () => ['1'],
    },
    with: {
      ...accountsOfSubscription.with,
      ...priceNeeds,
      ...Object.fromEntries(['trial_price_in_cents', 'trial_interval', 'trial_interval_unit'].map(trialNeeds)),
      'payment_profile_attributes.full_number': () => ({ payment_profile_attributes: goodCard }),
      'credit_card_attributes.full_number': () => ({ credit_card_attributes: goodCard }),
      product_change_delayed: () => ({ product_handle: 'with-setup-fee' }),
      cancellation_message: () => ({ cancel_at_end_of_period: true }),
      reason_code: () => ({ cancel_at_end_of_period: true }),
      ...vaultNeeds('payment_profile_attributes', 'credit_card_attributes'),
      ...vaultNeeds('credit_card_attributes', 'payment_profile_attributes'),
    },
    // Usage is recorded, never set; a subscription that has begun does not begin later.
    refused: [
      ...['currency', 'components.unit_balance', 'components.price_point_id', 'next_product_price_point_id'],
      ...[...pricePoints, ...awaiting, ...atSignup],
    ],
    // The last two need another card of the customer, and an end that was there before: test/api/subscription-update.test.ts.
    apart: [
      ...cvv,
      ...ofOneKind,
      ...accountsOfSubscription.apart,
      'payment_profile_id',
      'expiration_tracks_next_billing_change',
    ],
  },
  'DELETE /subscriptions/:subscription_id': { open: on('DELETE /subscriptions/:id', 'subscription') },
  'POST /subscriptions/:subscription_id/migrations': migration('POST /subscriptions/:id/migrations'),
  'POST /subscriptions/:subscription_id/migrations/preview': {
    ...migration('POST /subscriptions/:id/migrations/preview'),
    // Makes a difference after the period has begun: test/api/migrations.test.ts.
    apart: ['preserve_period', 'proration'],
  },
  'POST /subscriptions/:subscription_id/renewals/preview': {
    open: on('POST /subscriptions/:id/renewals/preview', 'renewal_preview'),
    refused: ['components.price_point_id'],
    values: {
      'components.component_id': ({ componentIds }) => [componentIds.seats],
      'components.quantity': () => [9],
    },
    with: {
      'components.component_id': ({ componentIds }) => ({
        components: [{ component_id: componentIds.support, quantity: 1 }],
      }),
      'components.quantity': suppose,
      'components.price_point_id': suppose,
    },
  },
  'PUT /subscriptions/:subscription_id/reactivate': {
    open: on('PUT /subscriptions/:id/reactivate', null, canceled),
    values: { coupon_code: () => ['SPRING'], resume: () => [true] },
  },
  'PUT /subscriptions/:subscription_id/activate': {
    open: on('PUT /subscriptions/:id/activate', null, { changes: { initial_billing_at: '2027-09-09T10:00:00Z' } }),
    // Says what becomes of a payment that fails: test/api/delayed-signups.test.ts.
    apart: ['revert_on_failure'],
  },
  'PUT /subscriptions/:subscription_id/override': { open: on('PUT /subscriptions/:id/override', 'subscription') },
  'POST /subscriptions/:subscription_id/hold': { open: on('POST /subscriptions/:id/hold', 'hold') },
  'PUT /subscriptions/:subscription_id/hold': { open: on('PUT /subscriptions/:id/hold', 'hold', held) },
  'POST /subscriptions/:subscription_id/delayed_cancel': {
    open: on('POST /subscriptions/:id/delayed_cancel', 'subscription'),
  },
  'PUT /subscriptions/:subscription_id/components/:component_id': {
    open: on('PUT /subscriptions/:id/components/:component', 'component', { body: () => ({ allocated_quantity: 3 }) }),
    with: { enabled: () => ({ allocated_quantity: undefined }) },
  },
  'POST /subscriptions/:subscription_id/components/:component_id/allocations': {
    open: on('POST /subscriptions/:id/components/:component/allocations', 'allocation', {
      body: () => ({ quantity: 3 }),
    }),
    with: Object.fromEntries([
      ...downSchemes.map((name) => [name, () => ({ quantity: 1 })]),
      ['accrue_charge', () => ({ upgrade_charge: 'prorated' })],
    ]),
    refused: ['price_point_id'],
  },
  'POST /subscriptions/:subscription_id/allocations': allocations('POST /subscriptions/:id/allocations'),
  'POST /subscriptions/:subscription_id/allocations/preview': {
    ...allocations('POST /subscriptions/:id/allocations/preview'),
    // A rehearsal tells of money.
    apart: ['allocations.memo'],
  },
  'POST /subscriptions/:subscription_id/components/:component_id/usages': {
    open: on('POST /subscriptions/:id/components/:component/usages', 'usage', {
      body: () => ({ quantity: 3 }),
      of: 'calls',
    }),
    refused: ['price_point_id'],
  },
  'POST /subscriptions/:subscription_id/add_coupon': {
    open: on('POST /subscriptions/:id/add_coupon', null, { body: () => ({ code: 'SPRING' }) }),
    values: { code: () => ['AUTUMN'], coupon_code: () => ['AUTUMN'], codes: () => [['AUTUMN']] },
    with: { coupon_code: () => ({ code: undefined }), codes: () => ({ code: undefined }) },
  },
}
