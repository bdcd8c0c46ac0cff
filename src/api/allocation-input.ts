/** How much of a component a request asks for: at a sign-up, as an allocation, as usage. */
import type { AllocateComponent } from '../actions/allocate-components.ts'
import type { DowngradeScheme, UpgradeScheme } from '../billing/allocation.ts'
import type { Component } from '../billing/component.ts'
import type { ComponentChoice, ComponentName } from '../billing/component-choice.ts'
import { quantityMax } from '../billing/component-prices.ts'
import { whyNotAtPricePoint } from '../billing/price-point.ts'
import { canonicalDecimal } from '../billing/quantity.ts'
import { downgradeSchemes, type Site, upgradeSchemes } from '../billing/site.ts'
import {
  boolean,
  type Command,
  decimal,
  InputErrors,
  isTree,
  listOf,
  longTextMax,
  object,
  oneOf,
  readInput,
  text,
  wrapped,
} from '../wire/input.ts'
import { customComponentPriceInput, readCustomComponentPrice } from './custom-price-input.ts'
import { refusedFields } from './refused-fields.ts'

const quantity = { min: 0, max: quantityMax }

const schemes = {
  proration_upgrade_scheme: oneOf('Proration upgrade scheme', upgradeSchemes),
  proration_downgrade_scheme: oneOf('Proration downgrade scheme', downgradeSchemes),
  upgrade_charge: oneOf('Upgrade charge', ['full', 'prorated', 'none']),
  accrue_charge: boolean('Accrue charge'),
  downgrade_credit: oneOf('Downgrade credit', ['prorated', 'none']),
  downgrade_charge: oneOf('Downgrade charge', ['prorated', 'none']),
}

/** An id, or `handle:` and a handle. */
export const pricePointId = text('Price point id').meta({ type: ['integer', 'string', 'null'] })

export const allocationInput = object({
  quantity: decimal('Quantity', { required: true, ...quantity }),
  memo: text('Memo', { max: longTextMax }),
  ...schemes,
  price_point_id: pricePointId,
  ...refusedFields.allocation,
})

/** An id, or `handle:` and a handle. */
export const componentId = text('Component', { required: true }).meta({ type: ['integer', 'string'] })

const oneOfSeveral = object(
  { component_id: componentId, ...allocationInput.shape },
  { error: () => 'Allocations: must be a list of allocations.' },
)
export const allocationsInput = object({
  ...schemes,
  ...refusedFields.allocations,
  allocations: listOf('Allocations', oneOfSeveral, { max: 100 }),
})

type Sent = Command<typeof allocationInput>

type Schemes = Partial<Pick<Sent, keyof typeof schemes>>

/**
 * The later names say in two fields what a scheme says in one: how much is charged, and whether that waits for the renewal. What only one
 * of the two says is completed from the scheme that would count without it.
 */
function upgradeSchemeOf(own: Schemes, fallback: Schemes, { componentUpgradeScheme }: Site): UpgradeScheme | null {
  const { proration_upgrade_scheme: scheme } = own
  const others = scheme ? {} : fallback
  const charge = own.upgrade_charge ?? others.upgrade_charge ?? null
  const waits = own.accrue_charge ?? others.accrue_charge ?? null
  const named = scheme ?? others.proration_upgrade_scheme ?? null
  if (charge === null && waits === null) return named
  const usual = named ?? componentUpgradeScheme
  if (charge === 'none' || (charge === null && usual === 'no-prorate')) return 'no-prorate'
  const isFull = charge === null ? usual.startsWith('full-price') : charge === 'full'
  const when = (waits ?? !usual.endsWith('attempt-capture')) ? 'delay-capture' : 'attempt-capture'
  return isFull ? `full-price-${when}` : `prorate-${when}`
}

function downgradeSchemeOf(own: Schemes, fallback: Schemes): DowngradeScheme | null {
  for (const { proration_downgrade_scheme: scheme, downgrade_credit: credit, downgrade_charge: charge } of [
    own,
    fallback,
  ]) {
    const later = credit ?? charge
    if (later) return later === 'none' ? 'no-prorate' : 'prorate'
    if (scheme) return scheme
  }
  return null
}

const allocationOf = (sent: Sent, site: Site, fallback: Schemes = {}): Omit<AllocateComponent, 'component'> => ({
  quantity: canonicalDecimal(sent.quantity),
  memo: sent.memo ?? null,
  upgradeScheme: upgradeSchemeOf(sent, fallback, site),
  downgradeScheme: downgradeSchemeOf(sent, fallback),
  pricePoint: sent.price_point_id ?? null,
})

export const readAllocation = (body: unknown, site: Site): Omit<AllocateComponent, 'component'> =>
  allocationOf(readInput(allocationInput, wrapped(body, 'allocation')), site)

/** Stands without a wrapper in JSON; the root of an XML document is one. */
export function readAllocations(body: unknown, site: Site): AllocateComponent[] {
  const sent = readInput(allocationsInput, unwrapped(body))
  if (!sent.allocations?.length) throw new InputErrors(['Allocations: cannot be blank.'])
  return sent.allocations.map(({ component_id: name, ...one }) => ({
    ...allocationOf(one, site, sent),
    component: componentName(name),
  }))
}

/** The body itself, or the one thing in it that holds allocations: an XML document always has a root around them. */
function unwrapped(body: unknown): unknown {
  const inner = isTree(body) ? Object.values(body).find((value) => isTree(value) && 'allocations' in value) : undefined
  return inner ?? body
}

/** An id, or `handle:<handle>`. What is neither names nothing. */
export function componentName(sent: string): ComponentName {
  const name = sent.trim()
  if (name.startsWith('handle:')) return { handle: name.slice('handle:'.length) }
  return { id: /^\d{1,15}$/.test(name) ? Number(name) : 0 }
}

export const stockInput = object({
  allocated_quantity: decimal('Allocated quantity', quantity),
  enabled: boolean('Enabled'),
})

/** `{"component": {"allocated_quantity": 23}}`, or `enabled` for a switch. */
export function readQuantity(body: unknown): string {
  const { allocated_quantity: sent, enabled } = readInput(stockInput, wrapped(body, 'component'))
  if (sent) return canonicalDecimal(sent)
  if (typeof enabled === 'boolean') return enabled ? '1' : '0'
  throw new InputErrors(['Allocated quantity: cannot be blank.'])
}

const choiceInput = object(
  {
    component_id: componentId,
    ...stockInput.shape,
    // What older clients call the allocated quantity.
    quantity: decimal('Quantity', quantity),
    unit_balance: decimal('Unit balance', quantity),
    custom_price: customComponentPriceInput,
    price_point_id: pricePointId,
  },
  { error: () => 'Components: must be a list of components.' },
)
/** What a sign-up may say of components. */
export const choicesInput = listOf('Components', choiceInput, { max: 100 })

const quantityIn = (choice: Pick<Command<typeof choiceInput>, 'allocated_quantity' | 'quantity'>): string | null => {
  const sent = choice.allocated_quantity ?? choice.quantity
  return sent ? canonicalDecimal(sent) : null
}

export const readChoices = (sent: Command<typeof choicesInput>): ComponentChoice[] =>
  (sent ?? []).map((choice) => ({
    by: componentName(choice.component_id),
    allocatedQuantity: quantityIn(choice),
    enabled: choice.enabled ?? null,
    unitBalance: choice.unit_balance ? canonicalDecimal(choice.unit_balance) : null,
    customPrice: readCustomComponentPrice(choice.custom_price),
    pricePoint: choice.price_point_id ?? null,
  }))

/** What an update may say of them: how much there is of each, and what it costs this subscription alone. Throws `InputErrors`. */
export function readQuantities(sent: Command<typeof choicesInput>): ComponentChoice[] {
  const problems = (sent ?? []).flatMap((choice) => {
    if (choice.unit_balance) return ['Unit balance: cannot be set by an update; record usage instead.']
    if (quantityIn(choice) !== null || typeof choice.enabled === 'boolean' || choice.custom_price) return []
    return ['Allocated quantity: cannot be blank.']
  })
  if (problems.length > 0) throw new InputErrors([...new Set(problems)])
  return readChoices(sent)
}

export const usageInput = object({
  quantity: decimal('Quantity', { required: true, min: -quantityMax, max: quantityMax }),
  memo: text('Memo', { max: longTextMax }),
  price_point_id: pricePointId,
  ...refusedFields.usage,
})

/** Throws `InputErrors`, also for another price point than that of the component. */
export function readUsage(body: unknown, component: Component): { quantity: string; memo: string | null } {
  const sent = readInput(usageInput, wrapped(body, 'usage'))
  const problem = whyNotAtPricePoint(component, sent.price_point_id)
  if (problem !== null) throw new InputErrors([problem])
  return { quantity: canonicalDecimal(sent.quantity), memo: sent.memo ?? null }
}
