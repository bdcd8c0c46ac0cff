/** Customers and what is kept about them, and money by hand. */
import { ada, goodCard } from '../api/shop.ts'
import type { Say } from '../api/two-formats.ts'
import type { Reply } from '../support/test-app.ts'
import { accountAlone, noneOfCards } from './account-cases.ts'
import type { Case, Cases, Opened } from './cases.ts'
import { done, readsOf, subscribed, type World } from './world.ts'

const country = () => ['DE']
const cardValues = {
  customer_id: ({ otherCustomerId }: World) => [otherCustomerId],
  full_number: () => ['4111111111111111'],
  expiration_month: () => [3],
  expiration_year: () => [2033],
  billing_country: country,
  vault_token: () => ['1'],
  last_four: () => ['4242'],
}
const vaulted = (field: string) => () => ({
  full_number: undefined,
  cvv: undefined,
  vault_token: '1',
  current_vault: 'bogus',
  [field]: undefined,
})
const vaultNeeds = Object.fromEntries(
  ['vault_token', 'customer_vault_token', 'last_four', 'card_type'].map((field) => [field, vaulted(field)]),
)

/** A request about a subscription that was made for it; `of` finds what the path names in it. */
const on =
  (line: string, root: string | null, options: Options = {}): Case['open'] =>
  async (_world: World, say: Say): Promise<Opened> => {
    const subscription = await subscribed(say, options.changes)
    for (const [act, tree] of options.first ?? []) await done(say, act.replace(':id', String(subscription.id)), tree)
    const id = options.of === undefined ? subscription.id : await options.of(say, subscription)
    return {
      line: line.replace(':id', String(subscription.id)).replace(':one', String(id)),
      root,
      body: (await options.body?.(say, subscription)) ?? {},
      reads: [...readsOf(subscription), ...(options.reads ?? []).map((path) => path.replace(':one', String(id)))],
    }
  }

type Subscription = Reply['json']
type Options = {
  readonly first?: readonly (readonly [line: string, tree: object])[]
  readonly changes?: object
  readonly of?: (say: Say, subscription: Subscription) => Promise<number>
  readonly body?: (say: Say, subscription: Subscription) => Promise<object> | object
  readonly reads?: readonly string[]
}

const customerOf = async (_: Say, { customer }: Subscription): Promise<number> => customer.id
const cardOf = async (_: Say, { credit_card: card }: Subscription): Promise<number> => card.id
const credit = [['POST /subscriptions/:id/credits', { credit: { amount: '20.00', memo: 'Sorry' } }]] as const
const noteOf = async (say: Say, { id }: Subscription): Promise<number> =>
  (await done(say, `POST /subscriptions/${id}/notes`, { note: { body: 'Called' } })).note.id
const paymentOf = async (say: Say, { id }: Subscription): Promise<number> =>
  (await done(say, `GET /subscriptions/${id}/transactions?kinds[]=payment`))[0].id
const invoiceOf = async (say: Say, { id }: Subscription): Promise<number> =>
  (await done(say, `GET /invoices?subscription_id=${id}`))[0].id

const plain: Case['open'] = async () => ({
  line: 'POST /customers',
  root: 'customer',
  body: ada,
  reads: ({ customer }) => [`/customers/${customer.id}`, `/customers/${customer.id}/metadata`],
})
const customerValues = { country, locale: () => ['de-AT'], reference: ({ unique }: World) => [unique()] }

const reasonCode = (line: string): Case => ({
  open: async ({ unique }, say) => {
    const first = { code: unique(), description: 'Too dear', position: 3 }
    const { id } = (await done(say, 'POST /reason_codes', { reason_code: first })).reason_code
    return {
      line: line.replace(':id', id),
      root: 'reason_code',
      body: line.startsWith('PUT') ? {} : { ...first, code: unique() },
    }
  },
  values: { code: ({ unique }) => [unique()], position: () => [2] },
})

const metafields = (type: string, isNew: boolean): Case => ({
  isShared: true,
  open: async ({ unique }, say) => {
    const name = unique()
    const path = `/${type}s/metafields`
    if (!isNew) await done(say, `POST ${path}`, { metafields: { name } })
    const body = isNew ? { name } : { current_name: name }
    return {
      line: `${isNew ? 'POST' : 'PUT'} ${path}`,
      root: 'metafields',
      body,
      reads: [`${path}?direction=desc&per_page=1`],
    }
  },
  values: { name: ({ unique }) => [`Field ${unique()}`], enum: () => [['Red', 'Blue']], 'scope.hosted': () => [['7']] },
  with: { enum: () => ({ input_type: 'radio' }), input_type: () => ({ enum: ['Red'] }) },
  // Names the field that is to change.
  apart: ['current_name'],
})
const metadata = (type: string, method: string): Case => ({
  open: on(`${method} /${type}s/:one/metadata`, 'metadata', {
    of: type === 'customer' ? customerOf : async (_, { id }) => id,
    body: () => ({ name: 'color', value: 'red' }),
    reads: [`/${type}s/:one/metadata`],
  }),
  // Names the value that is to move.
  apart: ['current_name'],
})

const sum = { memo: 'By hand', amount: '5.00' }
const money = (line: string, root: string, options: Options = {}): Case => ({
  open: on(line, root, { body: () => sum, ...options }),
  values: { amount: () => ['7.00'], amount_in_cents: () => [700] },
})
const invoiced = { changes: { payment_collection_method: 'invoice', payment_profile_attributes: undefined } }
const ofInvoice = (act: string, root: string): Case =>
  money(`POST /invoices/:one/${act}`, root, { ...invoiced, of: invoiceOf, reads: ['/invoices/:one'] })

/** Read where a site has its invoices in the later form: test/api/later-invoices.test.ts. */
const ofLaterForm = [...['method', 'details', 'received_on', 'payment_profile_id', 'payment_method', 'payment_details']]

export const recordCases: Cases = {
  'POST /customers': { open: plain, values: customerValues },
  'PUT /customers/:customer_id': {
    open: on('PUT /customers/:one', 'customer', { of: customerOf }),
    values: customerValues,
  },
  'POST /payment_profiles': {
    open: on('POST /payment_profiles', 'payment_profile', {
      body: (_, { customer }) => ({ ...goodCard, customer_id: customer.id }),
    }),
    values: { ...cardValues, ...accountAlone.values },
    with: { ...vaultNeeds, ...accountAlone.with },
    // Read by the gateway and kept nowhere; whose the card is, which the masked id tells; the only vault that there is.
    apart: ['cvv', 'customer_id', 'current_vault'],
  },
  'PUT /payment_profiles/:payment_profile_id': {
    open: on('PUT /payment_profiles/:one', 'payment_profile', { of: cardOf }),
    values: cardValues,
    apart: ['cvv', ...noneOfCards],
  },
  'PUT /bank_accounts/:bank_account_id/verification': { elsewhere: 'test/api/paid-from-accounts.test.ts' },
  'POST /subscriptions/:subscription_id/notes': {
    open: on('POST /subscriptions/:id/notes', 'note', { body: () => ({ body: 'Called' }) }),
  },
  'PUT /subscriptions/:subscription_id/notes/:note_id': {
    open: on('PUT /subscriptions/:id/notes/:one', 'note', { of: noteOf }),
  },
  'POST /reason_codes': reasonCode('POST /reason_codes'),
  'PUT /reason_codes/:reason_code_id': reasonCode('PUT /reason_codes/:id'),
  'POST /customers/metafields': metafields('customer', true),
  'PUT /customers/metafields': metafields('customer', false),
  'POST /subscriptions/metafields': metafields('subscription', true),
  'PUT /subscriptions/metafields': metafields('subscription', false),
  'POST /customers/:customer_id/metadata': metadata('customer', 'POST'),
  'PUT /customers/:customer_id/metadata': metadata('customer', 'PUT'),
  'POST /subscriptions/:subscription_id/metadata': metadata('subscription', 'POST'),
  'PUT /subscriptions/:subscription_id/metadata': metadata('subscription', 'PUT'),
  'POST /subscriptions/:subscription_id/charges': {
    ...money('POST /subscriptions/:id/charges', 'charge', { first: credit }),
    // Says what becomes of a charge that fails: test/api/money.test.ts.
    apart: ['accrue_on_failure'],
  },
  'POST /subscriptions/:subscription_id/adjustments': money('POST /subscriptions/:id/adjustments', 'adjustment', {
    first: credit,
  }),
  'POST /subscriptions/:subscription_id/credits': money('POST /subscriptions/:id/credits', 'credit'),
  'POST /subscriptions/:subscription_id/payments': {
    ...money('POST /subscriptions/:id/payments', 'payment'),
    apart: ofLaterForm,
  },
  'POST /subscriptions/:subscription_id/refunds': {
    ...money('POST /subscriptions/:id/refunds', 'refund', {
      body: async (say, subscription) => ({ ...sum, payment_id: await paymentOf(say, subscription) }),
    }),
    // Without it the refund is of the latest payment, which is this one.
    apart: ['payment_id'],
  },
  'PUT /payment_attempts/:payment_attempt_id/resolution': { elsewhere: 'test/api/payment-attempts.test.ts' },
  'POST /invoices/:invoice_id/payments': { ...ofInvoice('payments', 'payment'), apart: ofLaterForm },
  'POST /invoices/:invoice_id/charges': ofInvoice('charges', 'charge'),
  'POST /invoices/:invoice_id/credits': ofInvoice('credits', 'credit'),
  'POST /invoices/:invoice_id/adjustments': ofInvoice('adjustments', 'adjustment'),
}
