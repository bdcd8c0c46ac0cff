/** How the fields of customers and subscriptions are shown, and what stands in them. Their XML has dashes in its names. */
import { type Metadatum, type MetafieldTerms, scopeFlags } from '../billing/metafield.ts'
import type { Fields, List } from '../wire/shape.ts'

const metadatumShape: Fields = {
  fields: { id: 'integer', 'resource-id': 'integer', name: 'string', value: 'string', 'metafield-id': 'integer' },
}

const metafieldShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    scope: { fields: { hosted: { list: 'string', item: 'product' } } },
    'data-count': 'integer',
    'input-type': 'string',
    enum: { list: 'string', item: 'value' },
  },
}

export const metadataShape: List = { list: metadatumShape, item: 'metadatum' }
export const metafieldsShape: List = { list: metafieldShape, item: 'metafield' }

export const presentMetadatum = ({ id, metafieldId, name, resourceId, value }: Metadatum) => ({
  id,
  resource_id: resourceId,
  name,
  value,
  metafield_id: metafieldId,
})

/** Whether a field is shown somewhere is said by '1' and '0'. */
export const presentMetafield = (metafield: MetafieldTerms & { id: number }, dataCount: number) => ({
  id: metafield.id,
  name: metafield.name,
  scope: {
    ...Object.fromEntries(scopeFlags.map((flag) => [flag, metafield.scope[flag] ? '1' : '0'])),
    hosted: metafield.scope.hosted,
  },
  data_count: dataCount,
  input_type: metafield.inputType,
  enum: metafield.choices ?? [],
})

/** One page of a list, and how many there are. `dashed` makes the names that XML has. */
export const presentCounted = (
  name: 'metadata' | 'metafields',
  items: readonly object[],
  { count, page, perPage }: { count: number; page: number; perPage: number },
) => ({
  total_count: count,
  current_page: page,
  total_pages: Math.ceil(count / perPage),
  per_page: perPage,
  [name]: items,
})

export const countedShape: Fields = { fields: { metadata: metadataShape, metafields: metafieldsShape } }

/** The same tree with dashes in the names of its fields. */
export const dashed = (tree: unknown): unknown => {
  if (Array.isArray(tree)) return tree.map(dashed)
  if (typeof tree !== 'object' || tree === null) return tree
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name.replaceAll('_', '-'), dashed(value)]))
}
