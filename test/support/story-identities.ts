/** What is true of every subscription whatever happened to it: checked on its records, each broken truth in words. */
import {
  dunningEndsWithItsLastStep,
  dunningKeepsItsSchedule,
  dunningStepsFollowEachOther,
} from './dunning-identities.ts'
import { type Check, isLater, unless } from './identity.ts'
import { periodsNeverDrift } from './period-identities.ts'
import type { Records } from './story-records.ts'

/** Empty when everything is true. */
export const brokenIdentities: Check = (records, circumstances) =>
  checks.flatMap((check) => check(records, circumstances).map((words) => `${check.name}: ${words}`))

const effects = { charge: 1, credit: 1, adjustment: 1, payment: -1, refund: 0, info: 0 } as const
const living = new Set(['trialing', 'active', 'past_due', 'soft_failure', 'unpaid'])

/** Such a trial leaves no statement open, so that a later row is on none. */
const endedItsTrial = (records: Records): boolean =>
  endOfTrial(records) !== undefined && records.periods.every(({ begunBy }) => begunBy !== 'reactivation')

const endOfTrial = ({ events }: Records): Temporal.Instant | undefined =>
  events.find(({ eventSpecificData }) => eventSpecificData?.new_subscription_state === 'trial_ended')?.createdAt

const rowsOf = ({ transactions }: Records) => transactions.map(({ transaction }) => transaction)
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const ledgerHangsTogether: Check = (records) => {
  const rows = rowsOf(records)
  const moved = (wanted: string) =>
    sum(rows.filter(({ type, success }) => type === wanted && success).map(({ amount }) => amount))
  const paid = moved('payment') - moved('refund')
  const { balance, totalRevenue, createdAt } = records.subscription
  return [
    ...rows.flatMap((row, index) => {
      const before = rows[index - 1]
      const moved = row.success ? effects[row.type] * row.amount : 0
      return [
        ...unless(
          row.startingBalance === (before?.endingBalance ?? 0),
          `row ${index + 1} does not start where the last ended`,
        ),
        ...unless(row.endingBalance === row.startingBalance + moved, `row ${index + 1} does not add up`),
        ...unless(!isLater(before?.createdAt ?? createdAt, row.createdAt), `row ${index + 1} goes back in time`),
        ...unless(
          row.success || row.type === 'payment' || row.type === 'refund',
          `row ${index + 1} is a ${row.type} that failed`,
        ),
      ]
    }),
    ...unless(balance === (rows.at(-1)?.endingBalance ?? 0), `balance ${balance}`),
    ...unless(totalRevenue === paid, `revenue ${totalRevenue}, paid ${paid}`),
  ]
}

/** The payment that follows a one-time charge and its taxes, if it was captured. */
function paysAtOnce(transactions: Records['transactions'], index: number): number | undefined {
  const rows = transactions.slice(0, index + 1).map(({ transaction }) => transaction)
  const first = rows.findLast(({ type, kind }) => type === 'charge' && kind !== 'tax')
  const next = transactions.slice(index + 1).find(({ transaction }) => transaction.kind !== 'tax')?.transaction
  return first?.kind === 'one_time' && next?.kind === 'one_time' && next.type === 'payment' ? next.id : undefined
}

function clears(transactions: Records['transactions'], index: number): number | null {
  const clear = transactions.slice(index).find((later) => later.transaction.endingBalance <= 0)?.transaction
  return clear?.type === 'payment' ? clear.id : null
}

/** Whatever is owed when it is charged is covered by the first payment that leaves nothing owed, unless credit was there first. */
const chargesKnowTheirPayment: Check = ({ transactions }) =>
  transactions.flatMap(({ transaction, paymentId }, index) => {
    if (transaction.type !== 'charge') return []
    const expected = paysAtOnce(transactions, index) ?? clears(transactions, index)
    return unless(paymentId === expected, `row ${index + 1} says payment ${paymentId}, not ${expected}`)
  })

const gatewayTookWhatWasPaid: Check = (records, { captures }) => {
  const taken = captures.filter(({ subscriptionId }) => subscriptionId === records.subscription.id)
  const paid = rowsOf(records).filter(({ type, kind, success }) => type === 'payment' && kind !== 'manual' && success)
  const amounts = (list: readonly { amount: number }[]): string => list.map(({ amount }) => Number(amount)).join(', ')
  const atSignup = paid.filter(({ memo }) => memo.endsWith('Signup payment')).length
  return [
    ...unless(amounts(taken) === amounts(paid), `the gateway took ${amounts(taken)}, the ledger has ${amounts(paid)}`),
    ...unless(new Set(taken.map(({ idempotencyKey }) => idempotencyKey)).size === taken.length, 'a key was used twice'),
    ...unless(atSignup <= 1, 'more than one sign-up payment'),
  ]
}

const statementsAddUp: Check = (records) => {
  const { statements, subscription } = records
  const rows = rowsOf(records)
  const open = statements.filter(({ closedAt }) => closedAt === null)
  return [
    ...unless(open.length === (endedItsTrial(records) ? 0 : 1), `${open.length} are open`),
    ...unless((open[0]?.id ?? null) === subscription.openStatementId, 'the open one is not the one that is known'),
    ...unless(
      rows.every(
        ({ statementId: on }) =>
          statements.some(({ id }) => id === on) || (on === null && endOfTrial(records) !== undefined),
      ),
      'a row is on none',
    ),
    ...statements.flatMap((statement, index) => {
      const { openedAt, closedAt, startingBalance, endingBalance, total, settledAt } = statement
      const before = statements[index - 1]
      const listed = rows.filter(({ statementId }) => statementId === statement.id)
      const moved = sum(listed.map(({ startingBalance: starts, endingBalance: ends }) => ends - starts))
      const charged = sum(listed.filter(({ type }) => effects[type] === 1).map(({ amount }) => amount))
      const name = `#${index + 1}`
      return [
        ...unless(
          startingBalance === (before?.endingBalance ?? 0) || rows.some(({ statementId: on }) => on === null),
          `${name} does not start where the last ended`,
        ),
        ...unless(
          openedAt.equals(before?.closedAt ?? subscription.createdAt) || endOfTrial(records) !== undefined,
          `${name} does not open when the last closed`,
        ),
        ...unless(total === charged, `${name} has a total of ${total}, its rows ${charged}`),
        ...unless(
          endingBalance === null || endingBalance === startingBalance + moved,
          `${name} does not end as its rows do`,
        ),
        ...unless(
          settledAt === null || (closedAt !== null && !isLater(closedAt, settledAt)),
          `${name} is settled too early`,
        ),
        ...unless(
          listed.every(({ createdAt }) => !isLater(openedAt, createdAt)),
          `${name} lists an older row`,
        ),
        ...unless(
          listed.every(({ createdAt }) => closedAt === null || !isLater(createdAt, closedAt)),
          `${name} lists a later row`,
        ),
      ]
    }),
  ]
}

/** Where nothing was adjusted by hand, whoever owes nothing has no statement left to pay. */
const paidStatementsAreSettled: Check = (records) => {
  const { balance } = records.subscription
  if (balance > 0 || rowsOf(records).some(({ type }) => type === 'adjustment')) return []
  return records.statements.flatMap(({ closedAt, settledAt }, index) =>
    unless(closedAt === null || settledAt !== null, `#${index + 1} is not, though nothing is owed`),
  )
}

const eachPeriodIsBilledOnce: Check = (records, { product }) => {
  const { periods, subscription, events } = records
  const mayHaveFee = (product.initialCharge ?? 0) > 0 || events.some(({ key }) => key === 'subscription_product_change')
  const rows = rowsOf(records)
  const isImport = subscription.signupPaymentId === 0
  const fees = rows.filter(({ kind }) => kind === 'initial').length
  return [
    ...periods.flatMap(({ number }) => {
      const prices = rows.filter(
        ({ kind, periodNumber }) => periodNumber === number && (kind === 'baseline' || kind === 'trial'),
      )
      const wanted = isImport && number === 1 ? 0 : 1
      return unless(prices.length === wanted, `period ${number} has ${prices.length} rows of its price`)
    }),
    ...unless(fees <= (mayHaveFee && !isImport ? 1 : 0), `${fees} setup fees`),
  ]
}

const everythingIsToldOnce: Check = (records) => {
  const { events, periods, subscription } = records
  const rows = rowsOf(records)
  const count = (...keys: string[]): number => events.filter(({ key }) => keys.includes(key)).length
  const payments = rows.filter(({ type }) => type === 'payment')
  const failed = payments.filter(({ success }) => !success).length
  const isAsked = subscription.collectingAttemptId !== null
  const renewals = count('renewal_success', 'renewal_failure')
  const renewed = periods.filter(({ begunBy }) => begunBy === 'renewal' || begunBy === 'resumption').length
  return [
    ...unless(count('signup_success') === 1, 'the sign-up is not told once'),
    ...events.flatMap(({ key, eventSpecificData, createdAt }) => {
      if (!/^(signup_success|renewal_.*)$/.test(key) || eventSpecificData?.account_transaction_id !== null) return []
      const charged = rows.some(
        ({ kind, createdAt: at }) => /^(baseline|trial)$/.test(kind ?? '') && at.equals(createdAt),
      )
      return unless(!charged, `${key} names no row`)
    }),
    ...unless(count('payment_success') === payments.length - failed, 'payments and their events differ'),
    ...unless(count('payment_failure') === failed, 'failed payments and their events differ'),
    ...unless(
      renewals === renewed || (isAsked && renewals === renewed - 1),
      `${periods.length} periods, ${renewals} renewals told`,
    ),
    ...events.flatMap(({ createdAt, key }, index) =>
      unless(!isLater(events[index - 1]?.createdAt ?? createdAt, createdAt), `${key} goes back in time`),
    ),
  ]
}

/** Closed unpaid is told when it closes, paid when it is; the statement of a trial that ended for good closes without a word. */
const statementsAreToldOnce: Check = (records) =>
  records.statements.flatMap(({ id, closedAt, settledAt }, index) => {
    const isSilent = closedAt !== null && (endOfTrial(records)?.equals(closedAt) ?? false)
    const told = (key: string): string[] =>
      records.events
        .filter((event) => event.key === key && event.message.startsWith(`Statement ${id} `))
        .map(({ createdAt }) => String(createdAt))
    const closed = told('statement_closed').join()
    const settled = told('statement_settled').join()
    const wasUnpaid = closed !== '' || (settledAt === null && closedAt !== null)
    return [
      ...unless(closed === (wasUnpaid && !isSilent ? String(closedAt) : ''), `#${index + 1} is closed on ${closed}`),
      ...unless(settled === (isSilent ? '' : String(settledAt ?? '')), `#${index + 1} is settled on ${settled}`),
      ...unless(closed !== '' || settledAt === null || settledAt.equals(closedAt!), `#${index + 1} closes in silence`),
    ]
  })

const statesFollowEachOther: Check = ({ events, subscription }) => {
  const changes = events.filter(({ key }) => key === 'subscription_state_change')
  const { trialStartedAt, createdAt } = subscription
  const told = String(changes[0]?.eventSpecificData?.previous_subscription_state ?? subscription.state)
  // A trial that began later says nothing about the state at sign-up.
  const first = trialStartedAt === null ? 'active' : trialStartedAt.equals(createdAt) ? 'trialing' : told
  return [
    ...changes.flatMap(({ eventSpecificData }, index) => {
      const before = changes[index - 1]?.eventSpecificData?.new_subscription_state ?? first
      return [
        ...unless(
          eventSpecificData?.previous_subscription_state === before,
          `change ${index + 1} does not leave ${before}`,
        ),
        ...unless(eventSpecificData?.new_subscription_state !== before, `change ${index + 1} changes nothing`),
      ]
    }),
    ...unless(
      (changes.at(-1)?.eventSpecificData?.new_subscription_state ?? first) === subscription.state,
      `the last change does not lead to ${subscription.state}`,
    ),
  ]
}

const nothingIsForgotten: Check = ({ subscription }, { siteNow }) => {
  const { state, retryAt, currentPeriodEndsAt, nextAssessmentAt, collectingAttemptId, dunningAttempts } = subscription
  if (!living.has(state)) return unless(retryAt === null && dunningAttempts === 0, `${state} and still in dunning`)
  if (collectingAttemptId !== null) return ['a payment is still under way']
  const next = retryAt !== null && isLater(currentPeriodEndsAt, retryAt) ? retryAt : currentPeriodEndsAt
  return [
    ...unless(nextAssessmentAt.equals(next), `next at ${nextAssessmentAt}, not at ${next}`),
    ...unless(isLater(nextAssessmentAt, siteNow), `due since ${nextAssessmentAt}`),
    ...unless(
      (retryAt !== null) === (state === 'past_due' || state === 'soft_failure'),
      `${state}, retry at ${retryAt}`,
    ),
  ]
}

const checks: readonly Check[] = [
  ledgerHangsTogether,
  chargesKnowTheirPayment,
  gatewayTookWhatWasPaid,
  statementsAddUp,
  paidStatementsAreSettled,
  periodsNeverDrift,
  eachPeriodIsBilledOnce,
  everythingIsToldOnce,
  statementsAreToldOnce,
  statesFollowEachOther,
  nothingIsForgotten,
  dunningKeepsItsSchedule,
  dunningStepsFollowEachOther,
  dunningEndsWithItsLastStep,
]
