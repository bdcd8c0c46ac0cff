/** Every field that the official SDK can send to what is served is known to its input; those that are not stand here with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input, Parameter } from '../../src/api/openapi/description.ts'
import { descriptions } from '../../src/api/openapi/descriptions.ts'
import { fieldsOf as inputFields } from '../../src/api/openapi/operation.ts'
import { sharedParameters } from '../../src/api/openapi/parameters.ts'
import { isTree } from '../../src/wire/input.ts'
import type { JsonSchema } from '../../src/wire/input-schema.ts'
import { routeOf, served } from './operations.ts'
import { fieldsOf } from './sent-fields.ts'

const signups = ['createSubscription', 'previewSubscription']
const profiles = ['payment_profile_attributes', 'credit_card_attributes']
const inSubscription = (fields: readonly string[]): string[] => fields.map((field) => `subscription.${field}`)

/** Nobody's money, dates or access hang on them, and nothing is kept of them: `Kalends-Ignored` tells those who ask. */
const ignored: readonly (readonly [operations: readonly string[], fields: readonly string[], why: string])[] = [
  [
    signups,
    inSubscription([
      ...['agreement_terms', 'authorizer_first_name', 'authorizer_last_name', 'ach_agreement'],
      ...['ip_address', 'terms_url', 'privacy_policy_url', 'return_refund_policy_url', 'delivery_policy_url'].map(
        (name) => `agreement_acceptance.${name}`,
      ),
      'agreement_acceptance.secure_checkout_policy_url',
    ]),
    'A consent is kept by whoever asked the customer for it.',
  ],
  [
    signups,
    inSubscription(['cancellation_method', 'reason_code', 'product_change_delayed']),
    'Says something of a subscription that is there already.',
  ],
  [
    signups,
    inSubscription(['sales_rep_id', 'import_mrr']),
    'There are no commissions, and figures come from the ledger.',
  ],
  [
    [...signups, 'updateSubscription'],
    inSubscription(['dunning_communication_delay_time_zone']),
    'Goes with a delay, which is refused.',
  ],
  [
    [...signups, 'updateSubscription', 'createPaymentProfile', 'updatePaymentProfile'],
    [
      ...['id', 'masked_card_number', 'paypal_email'].map((name) => `payment_profile.${name}`),
      ...['id', 'masked_card_number', 'customer_id', 'paypal_email'].flatMap((name) =>
        profiles.map((profile) => `subscription.${profile}.${name}`),
      ),
    ],
    'Comes back with what was read of a profile.',
  ],
  [
    ['updatePaymentProfile'],
    ['payment_profile.card_type', 'payment_profile.current_vault'],
    'Where a card is kept and what it is does not change.',
  ],
  [
    ['createProduct', 'updateProduct'],
    ['product.auto_create_signup_page'],
    'There are no hosted pages for sign-ups yet.',
  ],
  [
    ['createQuantityBasedComponent'],
    ['hide_date_range_on_invoice', 'public_signup_page_ids', 'interval_unit'].map(
      (name) => `quantity_based_component.${name}`,
    ),
    'Says how something is shown that is not there; an interval is refused.',
  ],
  [['recordPaymentForInvoice'], ['type'], 'A payment is told by its own fields.'],
  [['reactivateSubscription'], ['include_trial'], 'Counts in the query, as the API has always had it.'],
]

const isIgnored = (operation: string, field: string): boolean =>
  ignored.some(([operations, fields]) => operations.includes(operation) && fields.includes(field))

/** Everything that an input names, down to what is refused as a whole or takes any names. */
function knownIn({ root, ...input }: Input): { leaves: Set<string>; all: Set<string> } {
  const leaves = new Set<string>()
  const all = new Set<string>()
  const walk = (schema: JsonSchema, path: readonly string[]): void => {
    const inner = isTree(schema.items) ? schema.items : schema
    all.add(path.join('.'))
    if (!isTree(inner.properties)) leaves.add(path.join('.'))
    else for (const [name, one] of Object.entries(inner.properties)) walk(one as JsonSchema, [...path, name])
  }
  walk(inputFields({ root, ...input }), root === null ? [] : [root])
  return { leaves, all }
}

/** The same fields may stand in the body itself where an input reads both. */
const isKnown = ({ leaves, all }: ReturnType<typeof knownIn>, root: string | null, field: string): boolean =>
  [field, `${root}.${field}`].some((path) => {
    const parts = path.split('.')
    return all.has(path) || parts.some((_, place) => leaves.has(parts.slice(0, place).join('.')))
  })

test('what the SDK can send is known to the input, or ignored for a reason', () => {
  const unknown: string[] = []
  const met = new Set<string>()
  for (const operation of served) {
    const { name, model } = operation
    if (model === undefined) continue
    const input = descriptions[routeOf(operation) ?? '']?.input
    const known = input && knownIn(input)
    const missing = fieldsOf(model).filter((field) => known === undefined || !isKnown(known, input!.root, field))
    for (const field of missing) {
      if (isIgnored(name, field)) met.add(field)
      else unknown.push(`${name} ${field}`)
    }
  }
  assert.deepEqual(unknown, [])
  const told = ignored.flatMap(([, fields]) => fields)
  assert.deepEqual(
    told.filter((field) => !met.has(field)),
    [],
    'the SDK sends no such field, or it is known',
  )
})

/** Filters that change nothing here, so that a list with them is the list without them. */
const ignoredQueries: readonly (readonly [query: RegExp, why: string])[] = [
  [/ currency_prices$/, 'There are no prices in other currencies to show.'],
  [/ include(\[|$)/, 'What may be included is shown in any case, or has a page of its own.'],
  [/^readEventsCount (page|per_page|direction)$/, 'A count has no pages.'],
  [/^list\w+PricePoints filter\[type\]$/, 'Each product and component has one price point, of the catalog.'],
  [
    /^list\w+PricePoints (archived|direction)$/,
    'Each product and component has one price point, and it is never archived.',
  ],
  [/^delete\w+ names$/, 'Read beside `name`.'],
]
/** Refused by name wherever they are sent. */
const refusedQueries = [
  /^listMetadataForResourceType /,
  /^listInvoices subscription_group_uid$/,
  /^listSubscriptions product_price_point_id$/,
  /^listSubscriptionComponents (date_field|start_date|end_date|start_datetime|end_datetime)$/,
]

test('what the SDK can narrow a list by is known to the list, refused, or without a meaning here', () => {
  const unknown = served.flatMap((operation) => {
    const query = descriptions[routeOf(operation) ?? '']?.query ?? []
    const known = new Set(query.map((one) => nameOf(one)))
    return (operation.queries ?? [])
      .flatMap(({ name, model }) => {
        const inside = model === undefined ? [] : fieldsOf(model)
        return inside.length === 0 ? [name] : inside.map((field) => `${name}[${field.replaceAll('.', '][')}]`)
      })
      .filter((name) => !known.has(name) && !known.has(name.replace(/\[.*/, '')))
      .map((name) => `${operation.name} ${name}`)
  })
  const patterns = [...ignoredQueries.map(([pattern]) => pattern), ...refusedQueries]
  assert.deepEqual(
    unknown.filter((one) => !patterns.some((pattern) => pattern.test(one))),
    [],
  )
})

const nameOf = (parameter: Parameter): string | undefined =>
  'name' in parameter
    ? parameter.name
    : sharedParameters[parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1) as keyof typeof sharedParameters]?.name
