/** What random stories sell and take off: components of every kind and scheme, coupons, taxes, and people who live where those hold. */
import fc from 'fast-check'

const oneOf = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)

/** Amounts per unit with up to eight decimals. */
const unitPrice = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 1, max: 8 }))
  .map(([whole, fraction, digits]) => `${whole}.${String(fraction).padStart(8, '0').slice(0, digits)}`)

/** A price for all units, or two brackets; only the last one is open, or nothing is. */
const prices = fc.oneof(
  unitPrice,
  fc
    .tuple(oneOf('tiered', 'volume', 'stairstep'), fc.integer({ min: 1, max: 20 }), unitPrice, unitPrice)
    .map(([scheme, end, low, high]) => `${scheme}, 1 to ${end} at ${low}, from ${end + 1} at ${high}`),
)

const maybeTaxable = oneOf('', ', taxable')

const components = fc
  .tuple(prices, maybeTaxable, unitPrice, maybeTaxable, prices, maybeTaxable)
  .map(([users, usersTaxed, support, supportTaxed, calls, callsTaxed]) => [
    `component users: quantity, ${users}${usersTaxed}`,
    `component support: switch, ${support}${supportTaxed}`,
    `component calls: metered, ${calls}${callsTaxed}`,
  ])

const lasting = fc.oneof(
  oneOf('once', 'for good'),
  fc.integer({ min: 1, max: 3 }).map((periods) => `for ${periods} periods`),
)
const uses = oneOf('', '', ', 1 use', ', 3 uses')

const coupons = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 9999 }).map((part) => part / 100),
    ),
    lasting,
    uses,
    fc.integer({ min: 1, max: 12_000 }),
    lasting,
    uses,
    fc.boolean(),
    fc.boolean(),
    oneOf(false, false, false, true),
    oneOf('', '', ', on users', ', on first and users', ', on second and calls and support'),
    oneOf('', '', ', not on allocations'),
  )
  .map(([percent, long, often, cents, long2, often2, leavesCredit, isFull, isAlone, on, allocated]) => [
    `coupon SHARE: ${percent}% off ${long}${isFull ? ', of the full price' : ''}${on}${often}`,
    `coupon TENTH: 10% off for good${isAlone ? ', alone' : ''}${allocated}`,
    `coupon FIXED: ${(cents / 100).toFixed(2)} off ${long2}${leavesCredit ? ', leaves a credit' : on}${often2}`,
  ])

const rate = fc.integer({ min: 0, max: 25_000 }).map((thousandths) => (thousandths / 1000).toFixed(3))

const taxes = fc
  .tuple(rate, rate, rate, oneOf('merchant in DE', 'merchant in US', ''))
  .map(([state, country, vat, merchant]) => [
    `tax PA Sales Tax: ${state}% in US-PA`,
    `tax Federal Tax: ${country}% in US`,
    `tax VAT: ${vat}% in FR`,
    ...(merchant === '' ? [] : [merchant]),
  ])

/** The lines of a story's head. */
export const pricingLines: fc.Arbitrary<string[]> = fc.tuple(components, coupons, taxes).map((groups) => groups.flat())

/** What a sign-up says at its end: coupons, and where the person lives. */
export const circumstances: fc.Arbitrary<string> = fc
  .tuple(
    oneOf(
      ...['', '', ', coupon SHARE', ', coupon FIXED', ', coupon NONE'],
      ...[', coupons SHARE and FIXED', ', coupons FIXED and TENTH and SHARE', ', coupons TENTH and NONE'],
    ),
    oneOf('', ', living in US-PA', ', living in US-PA', ', living in US-NY', ', living in FR', ', living in JP'),
    oneOf('', '', '', ', exempt'),
    oneOf('', '', '', ', VAT number FR12345678901'),
  )
  .map((parts) => parts.join(''))

/** The third product is one that calendar billing goes with. */
export const monthly = oneOf('20.00', '99.99', '0.31').map((price) => `${price} every month, taxable, card optional`)

export const calendar: fc.Arbitrary<string> = fc
  .tuple(oneOf('1', '15', '28', 'end'), oneOf('', ', charged immediate', ', charged delayed'))
  .map(([day, first]) => `, on day ${day}${first}`)

/** Acts on one of the people, in which `who` stands for the name. */
export const pricingDeeds: readonly fc.Arbitrary<string>[] = [
  oneOf('SHARE', 'FIXED', 'NONE').map((code) => `add coupon ${code} to who`),
  oneOf('SHARE', 'FIXED and TENTH', 'TENTH and SHARE', 'NONE').map((codes) => `add ${codes} beside the coupons of who`),
  oneOf('FIXED', 'SHARE and TENTH', 'TENTH and FIXED and SHARE').map((codes) => `have ${codes} on who`),
  oneOf('the coupon', 'SHARE', 'FIXED').map((which) => `remove ${which} of who`),
  fc
    .tuple(
      oneOf('first', 'second', 'third'),
      oneOf('', ' with its trial', ' with its setup fee', ' without coupons', ' keeping the period'),
    )
    .map(([product, how]) => `migrate who to ${product}${how}`),
  oneOf('1', '15', '28', 'end').map((day) => `move who to day ${day}`),
  fc.constant('change who to third'),
  fc.constant('do not change who'),
]
