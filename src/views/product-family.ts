/** How a product family is shown, on its own and inside a product. */
import type { ProductFamily } from '../billing/catalog.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

const nestedFields = {
  id: 'integer',
  name: 'string',
  handle: 'string',
  accounting_code: 'string',
  description: 'string',
} as const

export const nestedProductFamilyShape: Fields = { fields: nestedFields }

export const productFamilyShape: Fields = {
  fields: { ...nestedFields, created_at: 'datetime', updated_at: 'datetime' },
}

export const presentNestedProductFamily = ({ id, name, handle, accountingCode, description }: ProductFamily) => ({
  id,
  name,
  handle,
  accounting_code: accountingCode,
  description,
})

export const presentProductFamily = (family: ProductFamily, timeZone: string) => ({
  ...presentNestedProductFamily(family),
  created_at: formatTimestamp(family.createdAt, timeZone),
  updated_at: formatTimestamp(family.updatedAt, timeZone),
})
