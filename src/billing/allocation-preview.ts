/** What a change of allocated quantities will cost, without making it: the allocation's own prices, read ahead. */
import {
  type AllocationRequest,
  type DowngradeScheme,
  linesBack,
  priceAllocation,
  type UpgradeScheme,
} from './allocation.ts'
import type { Step } from './allocation-steps.ts'
import type { Assessment } from './assessment.ts'
import type { TransactionKind, TransactionType } from './ledger.ts'
import { addCents, type Cents, type MinorUnit, negate } from './money.ts'
import type { AboutLines } from './preview.ts'
import { priceOf } from './pricing.ts'
import { momentOfAct, type SubscriptionFacts } from './subscription.ts'

/** A row that the ledger would get. */
export type PreviewLine = {
  type: TransactionType
  kind: TransactionKind | null
  amount: Cents
  memo: string
  discountAmount: Cents
  taxableAmount: Cents
  componentId: number | null
  isOneTime?: true
}

export type AllocationPreview = {
  /** The time that is charged for is from now to the end of the current period. */
  about: AboutLines
  periodType: 'trial' | 'recurring'
  lines: PreviewLine[]
  /** What is given back counts as negative. */
  totals: Pick<Assessment, 'subtotal' | 'discount' | 'tax' | 'total'>
  /** Null when a whole period costs afterwards what it costs now. */
  direction: 'upgrade' | 'downgrade' | null
  /** By which the direction is prorated. */
  prorationScheme: UpgradeScheme | DowngradeScheme | null
  existingBalance: Cents
  steps: readonly Step[]
}

/** Refuses whatever the allocation would refuse. */
export function previewAllocation(
  facts: SubscriptionFacts,
  request: Omit<AllocationRequest, 'ids'>,
  at: Temporal.Instant,
): AllocationPreview {
  const { subscription } = facts
  const now = momentOfAct(subscription, at)
  const { steps, back, later, atOnce } = priceAllocation(facts, request, now)
  const sumOf = (part: 'subtotal' | 'discount' | 'tax' | 'total'): Cents =>
    addCents(later[part], atOnce[part], negate(back[part]))
  const riseOf = (step: Step): number => riseFrom(step, facts.pricing.minorUnit)
  const direction = directionOf(steps, riseOf)
  return {
    about: {
      product: facts.product,
      components: steps.map(({ component }) => component),
      period: { startsAt: now, endsAt: subscription.currentPeriodEndsAt },
      usagePeriod: null,
    },
    periodType: subscription.state === 'trialing' ? 'trial' : 'recurring',
    lines: [...linesBack(back), ...later.lines, ...atOnce.lines],
    totals: { subtotal: sumOf('subtotal'), discount: sumOf('discount'), tax: sumOf('tax'), total: sumOf('total') },
    direction,
    prorationScheme: direction && schemeOf(steps, direction, riseOf),
    existingBalance: subscription.balance,
    steps,
  }
}

/** How much more a whole period costs after a step; what is charged once costs what it costs now. */
const riseFrom = ({ component, previousQuantity, quantity, cost }: Step, unit: MinorUnit): number =>
  component.recurring ? priceOf(component, quantity, unit) - priceOf(component, previousQuantity, unit) : cost

type RiseOf = (step: Step) => number

function directionOf(steps: readonly Step[], riseOf: RiseOf): AllocationPreview['direction'] {
  const rise = steps.reduce((sum, step) => sum + riseOf(step), 0)
  if (rise === 0) return null
  return rise > 0 ? 'upgrade' : 'downgrade'
}

/** Of the first step that leads there; several may have different ones. */
function schemeOf(
  steps: readonly Step[],
  direction: 'upgrade' | 'downgrade',
  riseOf: RiseOf,
): AllocationPreview['prorationScheme'] {
  const step = steps.find((one) => (direction === 'upgrade' ? riseOf(one) > 0 : riseOf(one) < 0))
  if (step === undefined) return null
  return direction === 'upgrade' ? step.upgradeScheme : step.downgradeScheme
}
