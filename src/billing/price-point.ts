/** Products and components have one set of prices in the catalog: their default price point, which bears their own id. */
import type { Component } from './component.ts'

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
