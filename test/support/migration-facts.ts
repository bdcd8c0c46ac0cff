/** Migrations in memory: from a half used period of one product to another, with what was paid for it. */

import type { Changes, SettledOutcome } from '../../src/billing/changes.ts'
import {
  type AdvanceCharge,
  decideMigration,
  decideMigrationPayment,
  type Migration,
} from '../../src/billing/migration.ts'
import { figuresOf, planMigration } from '../../src/billing/migration-plan.ts'
import { cents } from '../../src/billing/money.ts'
import { approved, at, type Lived, product, signedUp, written } from './story-facts.ts'

export const start = '2026-06-01T00:00:00Z'
export const half = '2026-06-16T00:00:00Z'
export const gold = product({ productId: 8, name: 'Gold', price: cents(90_000) })
export const trial = { price: cents(0), interval: { count: 14, unit: 'day' }, type: 'no_obligation' } as const

export const to = (target = gold, change: Partial<Migration> = {}): Migration => ({
  product: target,
  productFamilyId: 2,
  includeTrial: false,
  includeInitialCharge: false,
  includeCoupons: true,
  preservePeriod: false,
  ...change,
})

export const paidFor = (amount: number, from = start): AdvanceCharge[] => [{ amount: cents(amount), from: at(from) }]

/** Half a period of a product for 250.00 a month is used. */
export const halfUsed = (price = 25_000) =>
  signedUp({ now: start, product: product({ name: 'Silver', price: cents(price) }) })

export const figures = ({ facts }: Lived, wish: Migration, advance: AdvanceCharge[], now: string) =>
  figuresOf(planMigration(facts, wish, advance, at(now)), facts.subscription.balance)

/** The whole of it: decided, paid or declined if anything was due, and written. */
export function migrated(
  lived: Lived,
  wish: Migration,
  advance: AdvanceCharge[],
  now: string,
  outcome: SettledOutcome = approved,
) {
  const { facts, ids } = lived
  const plan = planMigration(facts, wish, advance, at(now))
  const allocationIds = plan.dropped.map((_, place) => 901 + place)
  const decided = decideMigration(facts, { ...plan, allocationIds }, at(now), ids)
  if (decided.attempt === undefined) return { ...written(lived, decided), decided, changes: decided }
  const asked = written(lived, decided)
  // As the database gives it back.
  const intent = JSON.parse(JSON.stringify(decided.attempt.intent))
  const changes = decideMigrationPayment(asked.facts, { ...decided.attempt, intent }, outcome, at(now), ids)
  return { ...written(asked, changes), decided, changes }
}

export const rows = (changes: Changes) =>
  (changes.transactions ?? []).map(({ type, kind, amount }) => [type, kind, amount])
