/** Products and components have one set of prices in the catalog: their default price point, which bears their own id. */

export const defaultPricePoint = { name: 'Original', handle: 'original' } as const

/** As requests name one: by its id, or by `handle:` and its handle. */
export const isDefaultPricePoint = (ownerId: number, sent: string): boolean =>
  sent.trim() === String(ownerId) || sent.trim() === `handle:${defaultPricePoint.handle}`
