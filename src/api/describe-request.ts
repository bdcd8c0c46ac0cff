/** What makes two requests the same one, as a text that holds no card: of a number the last four digits, of the code on its back nothing. */
import { digitsIn } from '../billing/payment-profile.ts'
import { isTree } from '../wire/input.ts'
import type { WireRequest } from '../wire/request.ts'

export const describeRequest = ({
  method,
  path,
  query,
  body,
}: Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>) =>
  [method, path, JSON.stringify(withoutCards(query)), JSON.stringify(withoutCards(body))].join('\n')

/** Wherever it stands: cards are sent under several names, and what is sent under a wrong one is a card all the same. */
function withoutCards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCards)
  if (!isTree(value)) return value
  const fields = Object.entries(value).filter(([name]) => name !== 'cvv')
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, name === 'full_number' ? lastFour(inner) : withoutCards(inner)]),
  )
}

const lastFour = (number: unknown): string => digitsIn(String(number).trim()).slice(-4)
