/** A shop with coupons that are put on subscriptions several at a time, and how they are told of. */
import { made, openShop, type Shop } from './shop.ts'

const terms = { name: 'Off', description: '', recurring: true }

/** A tenth, 5.00 for two periods, a quarter of the full price, one that stands alone, and two that may be used once. */
export const openCouponShop = async (t?: Parameters<typeof openShop>[0]): Promise<Shop> => {
  const shop = await openShop(t)
  for (const coupon of [
    { ...terms, code: 'TENTH', percentage: '10' },
    { ...terms, code: 'FIVER', amount: '5.00', duration_period_count: 2 },
    { ...terms, code: 'QUARTER', percentage: '25', compounding_strategy: 'full-price' },
    { ...terms, code: 'ALONE', percentage: '50', stackable: false },
    { ...terms, code: 'LAST1', percentage: '1', conversion_limit: 1 },
    { ...terms, code: 'LAST2', percentage: '1', conversion_limit: 1 },
    { ...terms, code: 'LATER', percentage: '1', start_date: '2030-01-01' },
  ]) {
    await made(shop, 'POST /coupons.json', { coupon })
  }
  const { coupon: gone } = await made(shop, 'POST /coupons.json', { coupon: { ...terms, code: 'GONE', percentage: 1 } })
  await shop.ask(`DELETE /coupons/${gone.id}.json`)
  const { coupon: sub } = await made(shop, 'POST /coupons.json', { coupon: { ...terms, code: 'MAIN', percentage: 2 } })
  await shop.ask(`POST /coupons/${sub.id}/codes.json`, { body: { codes: ['SUB1', 'SUB2'] } })
  return shop
}

type Told = { code: string; use_count: number; uses_allowed: number | null }

export const couponsOf = (tree: { subscription: { coupons: Told[] } }) =>
  tree.subscription.coupons.map(({ code, use_count: count, uses_allowed: allowed }) => [code, count, allowed])

export const discountsOf = async (shop: Shop, id: number): Promise<[string, number][]> =>
  (await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)).json
    .map((row: { transaction: { kind: string; memo: string; amount_in_cents: number } }) => row.transaction)
    .filter(({ kind }: { kind: string }) => kind === 'coupon')
    .map(({ memo, amount_in_cents: amount }: { memo: string; amount_in_cents: number }) => [memo.slice(8), amount])

export const refusedCode = (code: string, sentence: string): string => `Coupon Code: '${code}' - ${sentence}`

export const both = ['TENTH', 'FIVER']
