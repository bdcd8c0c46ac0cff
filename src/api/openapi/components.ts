/** What is said of components: in the catalog, of a subscription, allocations and usages. */
import { componentKinds } from '../../billing/component.ts'
import { allocationShape } from '../../views/allocation.ts'
import { allocationPreviewShape } from '../../views/allocation-preview.ts'
import { componentShape, subscribedComponentShape } from '../../views/component.ts'
import { usageShape } from '../../views/usage.ts'
import { allocationInput, allocationsInput, stockInput, usageInput } from '../allocation-input.ts'
import { componentChangeInput } from '../component-change-input.ts'
import { countedComponentInput, switchInput } from '../component-input.ts'
import { offeredFlags, offeredSorts, pricePointKinds } from '../offered-list.ts'
import { about, bareValue, type Descriptions, many, one, sent } from './description.ts'
import { schemaOf } from './named-shapes.ts'
import {
  asked,
  asQuery,
  dated,
  direction,
  filteredById,
  flag,
  idWindow,
  keyed,
  needed,
  paged,
  word,
} from './parameters.ts'

const archivedToo = flag('include_archived', 'Shows archived ones too.')
const pages = [...paged(200), archivedToo, filteredById, ...dated]
const day = { type: 'string', format: 'date' }
/** A window of usage ends with the first moment of its last day. */
const midnights = [
  asked('since_date', "The day with whose first moment the window begins, on the site's calendar.", day),
  asked('until_date', 'The day with whose first moment the window ends.', day),
]
const shown = one('component', componentShape)
const inFamily = '/product_families/:product_family_id'

const catalog = about('Components', {
  'GET /components': {
    id: 'listComponents',
    summary: 'Lists the components of the site.',
    query: pages,
    answers: many('components', 'component', componentShape),
  },
  'GET /components/lookup': {
    id: 'lookUpComponent',
    summary: 'Finds a component by its handle.',
    query: [needed('handle', 'The handle.')],
    refuses: [404],
    answers: shown,
  },
  'PUT /components/:component_id': {
    id: 'updateComponent',
    summary: 'Changes a component; what it costs only while no subscription has it.',
    input: sent('component', componentChangeInput),
    answers: shown,
  },
  [`GET ${inFamily}/components`]: {
    id: 'listComponentsOfFamily',
    summary: 'Lists the components of a product family.',
    query: pages,
    answers: many('components', 'component', componentShape),
  },
  [`GET ${inFamily}/components/:component_id`]: {
    id: 'readComponent',
    summary: 'Shows one component.',
    answers: shown,
  },
  [`PUT ${inFamily}/components/:component_id`]: {
    id: 'updateComponentOfFamily',
    summary: 'Changes a component; what it costs only while no subscription has it.',
    input: sent('component', componentChangeInput),
    answers: shown,
  },
  [`DELETE ${inFamily}/components/:component_id`]: {
    id: 'archiveComponent',
    summary: 'Archives a component: it is no longer offered, and stays where it is used.',
    answers: bareValue('component', schemaOf(componentShape)),
  },
})

const kinds = {
  metered_component: ['MeteredComponent', 'metered', countedComponentInput],
  quantity_based_component: ['QuantityBasedComponent', 'quantity-based', countedComponentInput],
  on_off_component: ['OnOffComponent', 'on/off', switchInput],
} as const

const ofKinds: Descriptions = Object.assign(
  {},
  ...componentKinds.map((kind) => {
    const [name, said, input] = kinds[kind]
    return about('Components', {
      [`POST ${inFamily}/${kind}s`]: {
        id: `create${name}`,
        summary: `Creates a component of the ${said} kind in a product family.`,
        input: sent(kind, input),
        answers: one('component', componentShape, 201),
      },
      [`GET ${inFamily}/${kind}s/:component_id`]: {
        id: `read${name}`,
        summary: `Shows a component of the ${said} kind.`,
        answers: shown,
      },
    })
  }),
)

const path = '/subscriptions/:subscription_id'
const allocations = sent(null, allocationsInput)
const stock = one('component', subscribedComponentShape)

const ofSubscription = about('Components', {
  [`GET ${path}/components`]: {
    id: 'listSubscribedComponents',
    summary: 'Lists what a subscription has of each component that is offered to it.',
    query: [
      ...asQuery(offeredFlags),
      asked('product_family_ids', 'Only those of these families, with commas between them.'),
      word('price_point_ids', pricePointKinds, 'Only those at the prices of the catalog.'),
      keyed('filter', 'As `filter[currencies]=USD`: all are in the currency of the site.'),
      word('sort', offeredSorts, 'What decides the order.', 'id'),
      direction('asc'),
    ],
    answers: many('components', 'component', subscribedComponentShape),
  },
  [`GET ${path}/components/:component_id`]: {
    id: 'readSubscribedComponent',
    summary: 'Shows what a subscription has of one component.',
    answers: stock,
  },
  [`PUT ${path}/components/:component_id`]: {
    id: 'setSubscribedComponent',
    summary: 'Sets how much there is of a component, without proration.',
    input: sent('component', stockInput),
    answers: stock,
  },
  [`GET ${path}/components/:component_id/allocations`]: {
    id: 'listAllocations',
    summary: 'Lists the allocations of one component, the newest first.',
    query: paged(50, 50),
    answers: many('allocations', 'allocation', allocationShape),
  },
  [`POST ${path}/components/:component_id/allocations`]: {
    id: 'createAllocation',
    summary: 'Changes the quantity of one component, and charges or credits the rest of the period as asked.',
    input: sent('allocation', allocationInput),
    answers: one('allocation', allocationShape, 201),
  },
  [`POST ${path}/allocations`]: {
    id: 'createAllocations',
    summary: 'Changes the quantities of several components at once.',
    input: allocations,
    answers: many('allocations', 'allocation', allocationShape, 201),
  },
  [`POST ${path}/allocations/preview`]: {
    id: 'previewAllocations',
    summary: 'Rehearses allocations: the lines that the ledger would get. Writes nothing.',
    input: allocations,
    answers: one('allocation_preview', allocationPreviewShape),
  },
  [`GET ${path}/components/:component_id/usages`]: {
    id: 'listUsages',
    summary: 'Lists the recorded usage of a metered component.',
    query: [...paged(), ...idWindow, ...midnights],
    answers: many('usages', 'usage', usageShape),
  },
  [`POST ${path}/components/:component_id/usages`]: {
    id: 'recordUsage',
    summary: 'Records usage of a metered component; a negative quantity takes some back.',
    input: sent('usage', usageInput),
    answers: one('usage', usageShape),
  },
})

export const componentDescriptions: Descriptions = { ...catalog, ...ofKinds, ...ofSubscription }
