/** The address of every page of the portal, by a name for its picture. */
import type { World } from '../portal/people.ts'

export function pagesOf({
  port,
  active,
  overdue,
  canceled,
  productIds,
}: World): readonly [name: string, url: string][] {
  const at = (id: number, rest = ''): string => `/account/subscriptions/${id}${rest}`
  const paths: [string, string][] = [
    ['overview', '/account'],
    ['subscription', at(active)],
    ['overdue', at(overdue)],
    ['card', at(overdue, '/card')],
    ['cancel', at(active, '/cancel')],
    ['product', at(active, `/product?to=${productIds['with-setup-fee']}`)],
    ['reactivate', at(canceled, '/reactivate')],
    ['history', '/account/history'],
    ['details', '/account/details'],
    ['nothing', '/account/nothing'],
  ]
  return paths.map(([name, path]) => [name, `https://localhost:${port}${path}`])
}
