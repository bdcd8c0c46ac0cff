/** Which product a request names, and at which price: for a sign-up, an update, a migration. */
import type { NamedPricePoint } from '../billing/price-point.ts'
import type { Named } from '../store/catalog.ts'
import { isGiven, text } from '../wire/input.ts'

type Choice = { product_handle?: string | null | undefined; product_id?: number | null | undefined }

/** Where both are given the handle counts: it is what the merchant chose. Null where none is. */
export const readProductChoice = ({ product_handle: handle, product_id: id }: Choice): Named | null =>
  isGiven(handle) ? { handle } : id ? { id } : null

const pricePoint = (field: string) => text(field).meta({ type: ['integer', 'string', 'null'] })

export const pricePointFields = {
  product_price_point_id: pricePoint('Product price point id'),
  product_price_point_handle: text('Product price point handle'),
}
export const nextPricePointField = { next_product_price_point_id: pricePoint('Next product price point id') }

type PricePoints = {
  [name in keyof (typeof pricePointFields & typeof nextPricePointField)]?: string | null | undefined
}

const given = (field: string, sent: string | null | undefined): NamedPricePoint[] =>
  isGiven(sent) ? [{ field, sent }] : []

/** Of the product that is chosen. */
export const readPricePoints = ({ product_price_point_id: id, product_price_point_handle: handle }: PricePoints) => [
  ...given('Product price point id', id),
  ...given('Product price point handle', handle),
]

export const readNextPricePoints = ({ next_product_price_point_id: id }: PricePoints): NamedPricePoint[] =>
  given('Next product price point id', id)
