/** The components of a story, and the acts that change how much of them there is: how they are written, and how they are done. */
import { allocateComponents } from '../../src/actions/allocate-components.ts'
import type { App } from '../../src/actions/app.ts'
import { createComponent } from '../../src/actions/create-component.ts'
import { recordUsage } from '../../src/actions/record-usage.ts'
import type { DowngradeScheme, UpgradeScheme } from '../../src/billing/allocation.ts'
import type { ComponentKind, PriceBracket, PricingScheme } from '../../src/billing/component.ts'
import type { ComponentChoice } from '../../src/billing/component-choice.ts'
import { inOrder } from '../../src/billing/component-prices.ts'
import { canonicalDecimal } from '../../src/billing/quantity.ts'
import { downgradeSchemes, upgradeSchemes } from '../../src/billing/site.ts'

/** `users` are sold as `Users`, each a `user`. */
export type StoryComponent = {
  handle: string
  kind: ComponentKind
  unitName: string
  pricingScheme: PricingScheme | null
  unitPrice: string | null
  prices: PriceBracket[]
  taxable: boolean
}

export type ComponentDeed =
  | {
      deed: 'allocate'
      name: string
      taken: Taken[]
      upgradeScheme: UpgradeScheme
      downgradeScheme: DowngradeScheme
      memo: string | null
    }
  | { deed: 'use'; name: string; taken: Taken; memo: string | null }

export type Taken = { handle: string; quantity: string }

const kinds: Readonly<Record<string, ComponentKind>> = {
  quantity: 'quantity_based_component',
  switch: 'on_off_component',
  metered: 'metered_component',
}

/** `component users: quantity, 15.00, taxable`, `component boxes: quantity, tiered, 1 to 10 at 2.00, from 11 at 1.00`. */
export function readComponent(line: string): StoryComponent {
  const [, handle = '', kind = '', rest = '', taxable] =
    /^component ([\w-]+): (quantity|switch|metered), (.+?)(, taxable)?$/.exec(line) ?? []
  if (handle === '') throw new Error('does not read as a component')
  const [first = '', ...brackets] = rest.split(', ')
  const isSwitch = kind === 'switch'
  const unitName = isSwitch ? 'on/off' : handle.replace(/s$/, '')
  const base = { handle, kind: kinds[kind]!, unitName, taxable: taxable !== undefined }
  if (brackets.length === 0) {
    const pricingScheme = isSwitch ? null : 'per_unit'
    return { ...base, pricingScheme, unitPrice: canonicalDecimal(first), prices: [] }
  }
  return { ...base, pricingScheme: first as PricingScheme, unitPrice: null, prices: inOrder(brackets.map(readBracket)) }
}

function readBracket(text: string): PriceBracket {
  const [, start, end, from, price] = /^(?:(\d+) to (\d+)|from (\d+)) at ([\d.]+)$/.exec(text) ?? []
  if (price === undefined) throw new Error(`${text} is not a bracket`)
  return {
    startingQuantity: Number(start ?? from),
    endingQuantity: end === undefined ? null : Number(end),
    unitPrice: canonicalDecimal(price),
  }
}

export const createStoryComponent = (
  app: App,
  siteId: number,
  familyId: number,
  { handle, ...terms }: StoryComponent,
): Promise<number> =>
  createComponent(app, siteId, familyId, {
    ...terms,
    handle,
    name: handle.charAt(0).toUpperCase() + handle.slice(1),
    description: null,
    allowFractionalQuantities: false,
    recurring: true,
    accountingCode: null,
    taxCode: null,
    itemCategory: null,
    displayOnHostedPage: true,
  })

/** `2 users and 1 support`. */
const readTaken = (text: string): Taken[] =>
  text.split(' and ').map((one) => {
    const [quantity = '', handle = ''] = one.split(' ')
    return { handle, quantity }
  })

/** What a sign-up takes: whatever its kind, the number says how much. */
export const choicesOf = (taking: string | undefined): ComponentChoice[] =>
  taking === undefined
    ? []
    : readTaken(taking).map(({ handle, quantity }) => ({
        by: { handle },
        allocatedQuantity: quantity,
        enabled: null,
        unitBalance: quantity,
      }))

type Groups = { [name: string]: string | undefined }

const schemes = `(?:, (?<up>${upgradeSchemes.join('|')}))?(?:, (?<down>prorate|${downgradeSchemes.join('|')}) down)?`

export const componentDeeds: readonly [RegExp, (groups: Groups) => ComponentDeed][] = [
  [
    new RegExp(`^allocate (?<name>[\\w-]+) (?<taken>\\d[\\w. -]*?)${schemes}(?: "(?<memo>.*)")?$`),
    ({ name, taken, up, down, memo }) => ({
      deed: 'allocate',
      name: name!,
      taken: readTaken(taken!),
      upgradeScheme: (up ?? 'no-prorate') as UpgradeScheme,
      downgradeScheme: (down ?? 'no-prorate') as DowngradeScheme,
      memo: memo ?? null,
    }),
  ],
  [
    /^use (?<name>[\w-]+) (?<taken>-?\d[\d.]* [\w-]+)(?: "(?<memo>.*)")?$/,
    ({ name, taken, memo }) => ({ deed: 'use', name: name!, taken: readTaken(taken!)[0]!, memo: memo ?? null }),
  ],
]

export function changeComponents(app: App, siteId: number, id: number, does: ComponentDeed): Promise<number> {
  if (does.deed === 'use') {
    const { handle, quantity } = does.taken
    return recordUsage(app, siteId, id, { handle }, { quantity, memo: does.memo })
  }
  const { taken, upgradeScheme, downgradeScheme, memo } = does
  const wanted = taken.map(({ handle, quantity }) => ({
    component: { handle },
    quantity,
    memo,
    upgradeScheme,
    downgradeScheme,
  }))
  return allocateComponents(app, siteId, id, wanted)
}
