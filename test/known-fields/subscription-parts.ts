/** What stands inside a sign-up or a change of a subscription: cards, components, prices of its own. */
import type { Case } from './cases.ts'
import type { World } from './world.ts'

const country = () => ['DE']
const month = () => [3]
const year = () => [2033]
export const card = (path: string) => ({
  [`${path}.full_number`]: () => ['4111111111111111'],
  [`${path}.expiration_month`]: month,
  [`${path}.expiration_year`]: year,
  [`${path}.billing_country`]: country,
  [`${path}.vault_token`]: () => ['7'],
  [`${path}.last_four`]: () => ['4242'],
  [`${path}.current_vault`]: () => ['bogus'],
})

/** A card of a vault, without a number. */
const ofVault = { expiration_month: 12, expiration_year: 2031, vault_token: '7', current_vault: 'bogus' }
const vaultFields = ['vault_token', 'current_vault', 'customer_vault_token', 'last_four', 'card_type']
export const vaultNeeds = (name: string, other: string) =>
  Object.fromEntries(
    vaultFields.map((field) => [
      `${name}.${field}`,
      () => ({ [other]: undefined, [name]: { ...ofVault, [field]: undefined } }),
    ]),
  )

export const seats = ({ componentIds }: World) => ({
  components: [{ component_id: componentIds.seats, allocated_quantity: 5 }],
})
/** One price, so that a bracket may end where it is told to. */
const ownPrices = { pricing_scheme: 'volume', prices: [{ starting_quantity: 1, unit_price: '3.00' }] }
const seatsAtOwnPrices = ({ componentIds }: World) => ({
  components: [{ component_id: componentIds.seats, allocated_quantity: 5, custom_price: ownPrices }],
})
const ownPrice = () => ({ custom_price: { price_in_cents: 900, interval: 1, interval_unit: 'month' } })
export const ownTrial = (name: string) => () => ({
  custom_price: {
    ...ownPrice().custom_price,
    trial_price_in_cents: 100,
    trial_interval: 2,
    trial_interval_unit: 'month',
    initial_charge_in_cents: 50,
    [name]: undefined,
  },
})
const ownEnd = () => ({
  custom_price: { ...ownPrice().custom_price, expiration_interval: 3, expiration_interval_unit: 'month' },
})
const priceFields = ['name', 'handle', 'price_in_cents', 'interval', 'interval_unit', 'initial_charge_in_cents']
const trialFields = ['trial_price_in_cents', 'trial_interval', 'trial_interval_unit', 'initial_charge_after_trial']
const endFields = ['expiration_interval', 'expiration_interval_unit']
const bracketFields = ['pricing_scheme', 'prices.starting_quantity', 'prices.ending_quantity', 'prices.unit_price']

export const priceValues: NonNullable<Case['values']> = {
  'components.component_id': ({ componentIds }) => [componentIds.seats],
  'components.allocated_quantity': () => [7],
  'components.unit_balance': () => [7],
  'components.custom_price.prices.starting_quantity': () => [0],
  'custom_price.handle': ({ unique }) => [unique()],
}
export const priceNeeds: NonNullable<Case['with']> = {
  'components.component_id': ({ componentIds }) => ({
    components: [{ component_id: componentIds.support, allocated_quantity: 1 }],
  }),
  'components.allocated_quantity': seats,
  'components.quantity': ({ componentIds }) => ({ components: [{ component_id: componentIds.seats }] }),
  'components.enabled': ({ componentIds }) => ({ components: [{ component_id: componentIds.support }] }),
  'components.unit_balance': ({ componentIds }) => ({ components: [{ component_id: componentIds.calls }] }),
  'components.price_point_id': seats,
  ...Object.fromEntries(bracketFields.map((name) => [`components.custom_price.${name}`, seatsAtOwnPrices])),
  ...Object.fromEntries(priceFields.map((name) => [`custom_price.${name}`, ownPrice])),
  ...Object.fromEntries(trialFields.map((name) => [`custom_price.${name}`, ownTrial(name)])),
  ...Object.fromEntries(endFields.map((name) => [`custom_price.${name}`, ownEnd])),
}

const cardNames = ['payment_profile_attributes', 'credit_card_attributes']

/** Read by the gateway, and kept nowhere. */
export const cvv = cardNames.map((name) => `${name}.cvv`)
/** There is one vault here, so what is imported is of it whether it says so or not; and one currency in a site. */
export const ofOneKind = cardNames.map((name) => `${name}.current_vault`)
