/** What can be wrong with sign-ups, updates and the acts on a subscription. */
import type { Place } from './bad-input-place.ts'
import { type Bad, choice, count, date, decimal, flag, id, list, longTextMax, text, tree, wrong } from './bad-values.ts'
import { ada, goodCard, signup } from './shop.ts'

export type Endpoint = {
  line: string
  body: object
  fields: Readonly<Record<string, Bad>>
  /** Without a wrapper; XML has a root around it. */
  isBare?: boolean
}

/** The same fields inside of another object. */
export const within = (path: string, fields: Readonly<Record<string, Bad>>): Record<string, Bad> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]))

const wordy = { max: longTextMax }

const customerDetails = {
  cc_emails: text('CC emails', wordy),
  organization: text('Organization'),
  reference: text('Reference'),
  vat_number: text('VAT number'),
  address: text('Address'),
  address_2: text('Address 2'),
  city: text('City'),
  state: text('State'),
  zip: text('Zip'),
  country: text('Country'),
  phone: text('Phone'),
  tax_exempt: flag('Tax exempt'),
  tax_exempt_reason: text('Tax exempt reason'),
  locale: wrong('Locale', ['no tag', 'Spanish, please'], ['no text', { es: 1 }], ['too long', 'es'.repeat(40)]),
  salesforce_id: text('Salesforce id'),
  verified: flag('Verified'),
}
const email = text('Email address', { or: [['no address', 'ada at home']] })

const customerFields = {
  first_name: text('First name', { needed: true }),
  last_name: text('Last name', { needed: true }),
  email: { ...email, values: [...email.values, ['missing', undefined], ['blank', '']] as Bad['values'] },
  ...customerDetails,
  metafields: tree('Metafields'),
  'metafields.color': text('Metafields color', { max: 2048 }),
}

/** Blanks leave a field as it is where a whole object is sent back. */
const customerChanges = {
  first_name: text('First name'),
  last_name: text('Last name'),
  email,
  ...customerDetails,
}

const billing = {
  billing_address: text('Billing address'),
  billing_address_2: text('Billing address 2'),
  billing_city: text('Billing city'),
  billing_state: text('Billing state'),
  billing_zip: text('Billing zip'),
  billing_country: text('Billing country'),
  cvv: text('CVV', { or: [['no digits', 'abc']] }),
}

const cardFields = {
  full_number: text('Credit card number', { needed: true, or: [['no number', '4111111111111112']] }),
  expiration_month: count('Credit card expiration month', { needed: true, or: [['no month', 13]] }),
  expiration_year: count('Credit card expiration year', { needed: true }),
  first_name: text('First name'),
  last_name: text('Last name'),
  ...billing,
}

const otherPricePoint = { or: [['unknown', 51]] } as const
export const productPricePoints = {
  product_price_point_id: text('Product price point id', otherPricePoint),
  product_price_point_handle: text('Product price point handle', otherPricePoint),
}

const product = ({ foreign, archived }: Place) => ({
  product_handle: text('Product', { or: [['unknown', 'no-such-product']] }),
  product_id: id('Product', {
    or: [
      ['unknown', 1],
      ['of another site', foreign.product],
      ['archived', archived.product],
    ],
  }),
  ...productPricePoints,
})

const components = ({ foreign, archived, shop }: Place) => ({
  components: list('Components'),
  'components.0.component_id': text('Component', {
    needed: true,
    or: [
      ['of another site', foreign.component],
      ['archived', archived.component],
    ],
  }),
  'components.0.allocated_quantity': decimal('Allocated quantity', { or: [['too precise', '1.123456789']] }),
  'components.1': wrong('Component', ['given twice', { component_id: shop.components.users, allocated_quantity: 2 }]),
})

const couponCodes = ({ archived }: Place) => ({
  coupon_codes: wrong(
    'Coupon code',
    ['an object', { a: '1', b: '2' }],
    ['unknown', ['NO-SUCH']],
    ['archived among others', `HALF,${archived.coupon}`],
    ['too long', ['x'.repeat(256)]],
    ['too many', Array.from({ length: 101 }, (_, place) => `C${place}`)],
  ),
})

const terms = {
  cancellation_message: text('Cancellation message', wordy),
  next_billing_at: date('Next billing', { or: [['passed', '2020-01-01']] }),
  initial_billing_at: date('Initial billing at', { or: [['passed', '2020-01-01']] }),
  defer_signup: flag('Defer signup'),
  expires_at: date('Expires at'),
  vat_number: text('VAT number'),
  reference: text('Subscription reference'),
  net_terms: count('Net terms', { or: [['too many', 181]] }),
  receives_invoice_emails: flag('Receives invoice emails'),
  currency: text('Currency', { or: [['another than the site has', 'EUR']] }),
  payment_collection_method: choice('Payment collection method'),
  calendar_billing: tree('Calendar billing'),
  'calendar_billing.snap_day': text('Snap day', { max: 8, or: [['no day', 29]] }),
}

const signupFields = (place: Place): Endpoint['fields'] => {
  const { foreign, archived } = place
  const { product_handle } = product(place)
  return {
    'subscription.product_handle': product_handle,
    ...within('subscription', {
      ...terms,
      previous_billing_at: date('Previous billing at', { or: [['to come', '2099-01-01']] }),
      activated_at: date('Activated at', { or: [['to come', '2099-01-01']] }),
      ...components(place),
      'components.0.enabled': flag('Enabled'),
      'components.0.unit_balance': decimal('Unit balance'),
      coupon_code: text('Coupon code', {
        or: [
          ['unknown', 'NO-SUCH'],
          ['archived', archived.coupon],
        ],
      }),
      ...couponCodes(place),
      ...productPricePoints,
      'calendar_billing.calendar_billing_first_charge': choice('Calendar billing first charge'),
      calendar_billing_first_charge: choice('Calendar billing first charge'),
      ref: text('Referral code', { or: [['unknown', 'ADA20']] }),
      customer_id: id('Customer', { or: [['of another site', foreign.customer]] }),
      customer_reference: text('Customer', { or: [['unknown', 'nobody']] }),
      payment_profile_id: id('Payment profile'),
      metafields: tree('Metafields'),
      'metafields.color': text('Metafields color', { max: 2048 }),
      ...within('customer_attributes', customerFields),
      ...within('payment_profile_attributes', cardFields),
    }),
  }
}

const signupBody = ({ shop }: Place): object =>
  signup({ components: [{ component_id: shop.components.users, allocated_quantity: 1 }] })

const { product_handle: _, ...withoutProduct } = signup().subscription
const byId = (place: Place): object => ({ subscription: { ...withoutProduct, product_id: place.own.product } })

const updateFields = (place: Place): Endpoint['fields'] =>
  within('subscription', {
    ...product(place),
    ...terms,
    ...components(place),
    ...couponCodes(place),
    next_product_id: id('Next product', {
      or: [
        ['of another site', place.foreign.product],
        ['archived', place.archived.product],
      ],
    }),
    next_product_price_point_id: text('Next product price point id', otherPricePoint),
    product_change_delayed: flag('Product change delayed'),
    payment_profile_id: id('Payment profile', { or: [['of another site', place.foreign.card]] }),
    snap_day: text('Snap day', { max: 8, or: [['without calendar billing', 5]] }),
    expires_at: date('Expires at'),
    expiration_tracks_next_billing_change: flag('Expiration tracks next billing change'),
    cancel_at_end_of_period: flag('Cancel at end of period'),
    reason_code: text('Reason code'),
    ...within('customer_attributes', customerChanges),
    ...within('credit_card_attributes', {
      ...billing,
      full_number: text('Credit card number', { or: [['no number', '4111111111111112']] }),
      expiration_month: count('Credit card expiration month', { or: [['no month', 13]] }),
    }),
  })

const cancellation = within('subscription', {
  cancellation_message: text('Cancellation message', wordy),
  reason_code: text('Reason code'),
})

const hold = { 'hold.automatically_resume_at': date('Automatic resume date', { or: [['passed', '2020-01-01']] }) }

export const subscriptionEndpoints = (place: Place): Endpoint[] => {
  const one = `/subscriptions/${place.own.subscription}`
  const reason = { subscription: { cancellation_message: 'Enough' } }
  return [
    { line: 'POST /subscriptions', body: signupBody(place), fields: signupFields(place) },
    {
      line: 'POST /subscriptions',
      body: byId(place),
      fields: { 'subscription.product_id': product(place).product_id },
    },
    { line: 'POST /subscriptions/preview', body: signupBody(place), fields: signupFields(place) },
    {
      line: `PUT ${one}`,
      body: { subscription: { components: [{ component_id: place.own.component, allocated_quantity: 2 }] } },
      fields: updateFields(place),
    },
    {
      line: `PUT ${one}/override`,
      body: { subscription: { cancellation_message: 'Before' } },
      fields: within('subscription', {
        activated_at: date('Activated at'),
        current_period_starts_at: date('Current period starts at'),
        canceled_at: date('Canceled at'),
        expires_at: date('Expires at'),
        cancellation_message: text('Cancellation message', wordy),
      }),
    },
    { line: `POST ${one}/delayed_cancel`, body: reason, fields: cancellation },
    {
      line: `POST /subscriptions/${place.spare}/hold`,
      body: { hold: { automatically_resume_at: '2027-03-01' } },
      fields: hold,
    },
    {
      line: `PUT /subscriptions/${place.held}/hold`,
      body: { hold: { automatically_resume_at: '2027-04-01' } },
      fields: hold,
    },
    { line: `DELETE ${one}`, body: reason, fields: cancellation },
    {
      line: `PUT /subscriptions/${place.canceled}/reactivate`,
      isBare: true,
      body: { preserve_balance: true },
      fields: {
        preserve_balance: flag('Preserve balance'),
        coupon_code: text('Coupon code', {
          or: [
            ['unknown', 'NO-SUCH'],
            ['archived', place.archived.coupon],
          ],
        }),
      },
    },
  ]
}

export const customerEndpoints = ({ own, foreign }: Place): Endpoint[] => [
  { line: 'POST /customers', body: { customer: ada }, fields: within('customer', customerFields) },
  {
    line: `PUT /customers/${own.customer}`,
    body: { customer: { city: 'London' } },
    fields: within('customer', customerChanges),
  },
  {
    line: 'POST /payment_profiles',
    body: { payment_profile: { customer_id: own.customer, ...goodCard } },
    fields: within('payment_profile', {
      ...cardFields,
      customer_id: id('Customer', { needed: true, or: [['of another site', foreign.customer]] }),
    }),
  },
  {
    line: `PUT /payment_profiles/${own.card}`,
    body: { payment_profile: { billing_city: 'London' } },
    fields: within('payment_profile', {
      ...billing,
      full_number: text('Credit card number', { or: [['no number', '4111111111111112']] }),
      expiration_month: count('Credit card expiration month', { or: [['no month', 13]] }),
      expiration_year: count('Credit card expiration year'),
    }),
  },
]
