/** What an answered payment leads to, by what it was asked for; recovery and the act itself read the same table. */
import { decideActivationPayment } from './activation.ts'
import { settleAllocation } from './allocation.ts'
import type { AttemptReason, Settle } from './changes.ts'
import { decideChargeSettlement } from './charge.ts'
import { decideRequestedPayment, decideSettlement } from './collection.ts'
import { decideResumptionPayment } from './hold.ts'
import { decideMigrationPayment } from './migration.ts'
import { decideReactivationPayment } from './reactivation.ts'
import { decideRefundSettlement } from './refund.ts'
import { decideTrialActivationPayment } from './trial-activation.ts'

/** A sign-up settles before its subscription exists, so it is not here. */
export const settlements: Readonly<Record<Exclude<AttemptReason, 'signup'>, Settle>> = {
  activation: (facts, attempt, ...answered) =>
    (attempt.intent?.endsTrial === true ? decideTrialActivationPayment : decideActivationPayment)(
      facts,
      attempt,
      ...answered,
    ),
  renewal: decideSettlement,
  retry: (facts, attempt, ...answered) =>
    (attempt.intent?.onRequest === true ? decideRequestedPayment : decideSettlement)(facts, attempt, ...answered),
  card_update: decideRequestedPayment,
  reactivation: decideReactivationPayment,
  resumption: decideResumptionPayment,
  allocation: settleAllocation,
  migration: decideMigrationPayment,
  charge: decideChargeSettlement,
  refund: decideRefundSettlement,
}
