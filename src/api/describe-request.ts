/** What makes two requests the same one, as a text that holds no card and no bank account: of a number its end, of the code on a card nothing. */
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

/** Wherever it stands: cards and accounts are sent under several names, and what is sent under a wrong one is one all the same. */
function withoutCards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCards)
  if (!isTree(value)) return value
  const fields = Object.entries(value).filter(([name]) => name !== 'cvv')
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, numbers.has(name) ? lastFour(inner) : withoutCards(inner)]),
  )
}

const numbers = new Set(['full_number', 'bank_account_number', 'bank_iban', 'bank_routing_number', 'bank_branch_code'])

const lastFour = (number: unknown): string => digitsIn(String(number).trim()).slice(-4)
