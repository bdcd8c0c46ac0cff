/** The acts of a story that move money by hand: how they are written, and how they are done. */
import type { App } from '../../src/actions/app.ts'
import { createAdjustment } from '../../src/actions/create-adjustment.ts'
import { createCharge } from '../../src/actions/create-charge.ts'
import { createCredit } from '../../src/actions/create-credit.ts'
import { recordPayment } from '../../src/actions/record-payment.ts'
import { refundPayment } from '../../src/actions/refund-payment.ts'
import { type Cents, parseDecimalAmount, zeroCents } from '../../src/billing/money.ts'
import { sql } from '../../src/store/sql.ts'

type Given = { name: string; amount: Cents; memo: string }

export type MoneyDeed = Given &
  (
    | { deed: 'charge'; fromCredit: boolean; withRenewal: boolean; orAccrued: boolean }
    | { deed: 'adjust'; isTarget: boolean }
    | { deed: 'credit' }
    | { deed: 'payment' }
    /** `payment` counts those that succeeded, from 1; null gives money back past every gateway. */
    | { deed: 'refund'; payment: number | null }
  )

type Groups = { [name: string]: string | undefined }

const given = ({ name, amount, memo }: Groups): Given => ({
  name: name!,
  amount: parseDecimalAmount(amount!) ?? zeroCents,
  memo: memo!,
})

export const moneyDeeds: readonly [RegExp, (groups: Groups) => MoneyDeed][] = [
  [
    /^charge (?<name>[\w-]+) (?<amount>[\d.]+) "(?<memo>.*)"(?<credit>, from credit first)?(?<renewal>, with the renewal)?(?<accrued>, or accrued)?$/,
    (groups) => ({
      deed: 'charge',
      ...given(groups),
      fromCredit: groups.credit !== undefined,
      withRenewal: groups.renewal !== undefined,
      orAccrued: groups.accrued !== undefined,
    }),
  ],
  [
    /^adjust (?<name>[\w-]+) (?<how>by|to) (?<amount>-?[\d.]+) "(?<memo>.*)"$/,
    (groups) => ({ deed: 'adjust', ...given(groups), isTarget: groups.how === 'to' }),
  ],
  [/^credit (?<name>[\w-]+) (?<amount>[\d.]+) "(?<memo>.*)"$/, (groups) => ({ deed: 'credit', ...given(groups) })],
  [/^payment of (?<name>[\w-]+) (?<amount>[\d.]+) "(?<memo>.*)"$/, (groups) => ({ deed: 'payment', ...given(groups) })],
  [
    /^refund (?<name>[\w-]+) (?<amount>[\d.]+) (?:of payment (?<payment>\d+)|elsewhere) "(?<memo>.*)"$/,
    (groups) => ({
      deed: 'refund',
      ...given(groups),
      payment: groups.payment === undefined ? null : Number(groups.payment),
    }),
  ],
]

export async function moveMoney(app: App, siteId: number, id: number, does: MoneyDeed): Promise<unknown> {
  const { amount, memo } = does
  switch (does.deed) {
    case 'charge':
      return createCharge(app, siteId, id, {
        amount,
        memo,
        useNegativeBalance: does.fromCredit,
        delayCapture: does.withRenewal,
        accrueOnFailure: does.orAccrued,
        taxable: false,
        collectionMethod: null,
      })
    case 'adjust':
      return createAdjustment(app, siteId, id, { amount, memo, isTarget: does.isTarget })
    case 'credit':
      return createCredit(app, siteId, id, { amount, memo })
    case 'payment':
      return recordPayment(app, siteId, id, { amount, memo })
    case 'refund': {
      const paymentId = does.payment === null ? null : await nthPayment(app, siteId, id, does.payment)
      return refundPayment(app, siteId, id, { amount, memo, paymentId, isExternal: paymentId === null })
    }
  }
}

async function nthPayment({ db }: App, siteId: number, subscriptionId: number, place: number): Promise<number> {
  const rows = await db.arrays(sql`
    select t.id from transactions t
    where t.site_id = ${siteId} and t.subscription_id = ${subscriptionId} and t.type = 'payment' and t.success order by t.id`)
  return (rows[place - 1]?.[0] as number | undefined) ?? 1
}
