/** Products and components have one set of prices in the catalog: their default price point, which bears their own id. */
import type { ProductTerms } from './catalog.ts'
import type { Component } from './component.ts'
import { invalid } from './refusal.ts'

export const defaultPricePoint = { name: 'Original', handle: 'original' } as const

/** As requests name one: by its id, or by `handle:` and its handle. */
export const isDefaultPricePoint = (ownerId: number, sent: string): boolean =>
  sent.trim() === String(ownerId) || sent.trim() === `handle:${defaultPricePoint.handle}`

/**
 * Why a component cannot be had at the price point that a request names, in words; null where it can. `sent` is its id, or `handle:` and
 * its handle; nothing and 0 name none.
 */
export function whyNotAtPricePoint(
  { id, name, hasCustomPrice }: Pick<Component, 'id' | 'name' | 'hasCustomPrice'>,
  sent: string | null | undefined,
): string | null {
  if (!sent?.trim() || sent.trim() === '0') return null
  if (hasCustomPrice) return `Price point id: is not supported; ${name} has prices of this subscription's own.`
  return isDefaultPricePoint(id, sent) ? null : `Price point id: is not supported; ${name} has one price point, ${id}.`
}

/** What a request says in one of the fields that name a price point of a product: its id, or its handle, also after `handle:`. */
export type NamedPricePoint = { field: string; sent: string }

/** Why a product cannot be had at the price points that a request names, in words; nothing where it can. 0 names none. */
export const problemsOfPricePoints = (
  { productId, name, custom }: Pick<ProductTerms, 'productId' | 'name' | 'custom'>,
  named: readonly NamedPricePoint[],
): string[] =>
  named.flatMap(({ field, sent }) => {
    if (sent.trim() === '0') return []
    if (custom) return `${field}: is not supported; ${name} has a price of this subscription's own.`
    const isDefault = isDefaultPricePoint(productId, sent) || sent.trim() === defaultPricePoint.handle
    return isDefault
      ? []
      : `${field}: is not supported; ${name} has one price point, ${productId} (${defaultPricePoint.handle}).`
  })

export function refuseOtherPricePoints(
  product: Pick<ProductTerms, 'productId' | 'name' | 'custom'>,
  named: readonly NamedPricePoint[] = [],
): void {
  const problems = problemsOfPricePoints(product, named)
  if (problems.length > 0) throw invalid(...problems)
}
