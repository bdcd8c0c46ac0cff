/** Reads which part of a list is asked for. */

import { InputErrors } from './input.ts'
import type { Query } from './request.ts'

export type Page = { readonly page: number; readonly perPage: number; readonly offset: number }
export type Direction = 'asc' | 'desc'
/** Both ends belong to the window; null is an open end. */
export type IdWindow = { readonly sinceId: number | null; readonly maxId: number | null }

const single = (query: Query, name: string): string | undefined => {
  const value = query[name]
  return typeof value === 'string' || value === undefined ? value : value.at(-1)
}

/** A whole number; anything beyond the exact range becomes its end, which lies past every list and every id. */
const digits = (text: string): number | undefined =>
  /^\d{1,64}$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined

/** Only a number is said back. */
const invalidPage = (text: string): InputErrors =>
  new InputErrors([/^-?\d{1,18}$/.test(text) ? `invalid page: ${text}` : 'invalid page'])

const readPerPage = (text: string | undefined, usual: number, max: number): number => {
  if (text === undefined) return usual
  const asked = digits(text)
  if (asked === undefined) throw new InputErrors(['Per page: is not a number.'])
  return asked === 0 ? usual : Math.min(asked, max)
}

/**
 * A page past the end is an empty list, however far. A page that is not 1 or more throws `InputErrors`.
 * `per_page` is lowered to the maximum, 0 is the default, and what is no whole number throws `InputErrors`.
 */
export const readPage = (
  query: Query,
  { perPageDefault = 20, perPageMax = 200 }: { readonly perPageDefault?: number; readonly perPageMax?: number } = {},
): Page => {
  const perPage = readPerPage(single(query, 'per_page'), perPageDefault, perPageMax)
  const text = single(query, 'page') ?? '1'
  const asked = digits(text)
  if (asked === undefined || asked === 0) throw invalidPage(text)
  const page = Math.min(asked, Math.floor(Number.MAX_SAFE_INTEGER / perPage))
  return { page, perPage, offset: (page - 1) * perPage }
}

export const readDirection = (query: Query, usual: Direction): Direction => {
  const text = single(query, 'direction')?.toLowerCase()
  if (text === undefined || text === 'asc' || text === 'desc') return text ?? usual
  throw new InputErrors(['Direction: must be one of asc, desc.'])
}

/** An id to filter by, null when it was not sent; what is no whole number throws `InputErrors`. */
export const readId = (query: Query, name: string, label: string): number | null => {
  const text = single(query, name)
  if (text === undefined) return null
  const id = digits(text)
  if (id === undefined) throw new InputErrors([`${label}: is not a number.`])
  return id
}

/** `since_id` and `max_id`. */
export const readIdWindow = (query: Query): IdWindow => ({
  sinceId: readId(query, 'since_id', 'Since id'),
  maxId: readId(query, 'max_id', 'Max id'),
})
