/** What an answer of the gateway leads to: the payment's row, the state, the statements and the order of events. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  approved,
  assessed,
  at,
  declined,
  having,
  keysOf,
  product,
  signedUp,
  written,
  wrong,
} from '../../test/support/story-facts.ts'
import { BrokenInvariant } from './assert.ts'
import { decideCancellation } from './cancellation.ts'
import { decideSettlement } from './collection.ts'
import type { EventData, SiteEvent } from './event.ts'
import { cents } from './money.ts'

const stateChanges = (changes: { events?: readonly { key: string; eventSpecificData: unknown }[] }) =>
  (changes.events ?? [])
    .filter(({ key }) => key === 'subscription_state_change')
    .map(({ eventSpecificData }) => eventSpecificData)

describe('a renewal that is paid', () => {
  const { changes, settled, facts } = assessed(signedUp())

  test('writes the payment with the card that was asked and the gateway’s reference', () => {
    const [payment] = settled.transactions ?? []
    const { memo, amount, success, gatewayUsed, gatewayTransactionId, cardNumber, cardExpiration, cardType, ...rest } =
      payment!
    assert.deepEqual(
      [memo, amount, success, gatewayUsed, gatewayTransactionId, cardNumber, cardExpiration, cardType],
      ['Ada Lovelace - Pro: Renewal payment', 5000, true, 'bogus', '9', 'XXXX-XXXX-XXXX-1', '01/2030', 'bogus'],
    )
    assert.equal(rest.paymentAttemptId, changes.attempt?.id)
  })

  test('tells renewal, payment and settled statement, in this order', () => {
    assert.deepEqual(keysOf(settled), ['renewal_success', 'payment_success', 'statement_settled'])
    const id = settled.transactions?.[0]?.id
    const data = { product_id: 7, account_transaction_id: id }
    assert.deepEqual(
      settled.events?.slice(0, 2).map(({ eventSpecificData }) => eventSpecificData),
      [data, data],
    )
  })

  test('closes its statement as settled, with what it charged, and opens the next', () => {
    const [statement] = settled.statements ?? []
    assert.deepEqual(
      [statement?.total, statement?.endingBalance, String(statement?.settledAt)],
      [5000, 0, String(statement?.closedAt)],
    )
    assert.equal(settled.newStatements?.[0]?.id, facts.subscription.openStatementId)
    assert.deepEqual(
      [facts.subscription.balance, facts.subscription.totalRevenue, facts.subscription.collectingAttemptId],
      [0, 10_000, null],
    )
  })
})

describe('a renewal that is declined', () => {
  const failed = assessed(signedUp(), declined)
  const { subscription } = failed.facts

  test('writes a failed payment in the gateway’s words that moves nothing', () => {
    const [payment] = failed.settled.transactions ?? []
    assert.deepEqual(
      [
        payment?.success,
        payment?.memo,
        payment?.startingBalance,
        payment?.endingBalance,
        payment?.gatewayTransactionId,
        payment?.kind,
      ],
      [false, 'no', 5000, 5000, null, null],
    )
  })

  test('tells payment, renewal, change of state and closed statement, in this order', () => {
    const keys = ['payment_failure', 'renewal_failure', 'subscription_state_change', 'statement_closed']
    assert.deepEqual(keysOf(failed.settled), keys)
  })

  test('parts the next assessment from the end of the period', () => {
    assert.equal(String(subscription.nextAssessmentAt), '2026-03-01T12:00:00Z')
    assert.equal(String(subscription.currentPeriodEndsAt), '2026-03-31T12:00:00Z')
  })

  test('is made good by a retry: change of state, payment, then every statement that waited', () => {
    const again = assessed(failed)
    assert.deepEqual(keysOf(again.settled), ['subscription_state_change', 'payment_success', 'statement_settled'])
    assert.deepEqual(
      again.settled.statements?.map(({ settledAt }) => String(settledAt)),
      ['2026-03-01T12:00:00Z'],
    )
    const { state, dunningAttempts, dunningSince } = again.facts.subscription
    assert.deepEqual([state, dunningAttempts, dunningSince], ['active', 0, null])
    assert.equal(again.settled.newStatements?.length, 0)
  })

  test('has one renewal_failure, however often it is asked for again', () => {
    const again = assessed(failed, declined)
    assert.deepEqual(keysOf(again.settled), ['payment_failure', 'dunning_step_reached'])
    assert.deepEqual(stateChanges(again.settled), [])
  })
})

describe('a step of the dunning', () => {
  const stepOf = ({ settled }: { settled: { events?: readonly SiteEvent[] } }) =>
    settled.events?.find(({ key }) => key === 'dunning_step_reached')
  const dataOf = (one: Parameters<typeof stepOf>[0]) => stepOf(one)!.eventSpecificData as Record<string, EventData>
  const first = assessed(signedUp(), declined)
  const second = assessed(first, declined)
  const third = assessed(second, declined)
  const step = { email_body: null, email_subject: null, send_bcc_email: false, send_sms: false, sms_body: null }

  test('is told with what is owed, how the dunning stands, what comes of it and what is next', () => {
    const { message, eventSpecificData } = stepOf(second)!
    assert.equal(message, "Dunning step reached on Ada Lovelace's subscription to Pro: day 1, retry")
    assert.deepEqual(eventSpecificData, {
      dunner: {
        subscription_id: 9,
        state: 'active',
        revenue_at_risk_in_cents: 5000,
        created_at: '2026-02-28T12:00:00Z',
        attempts: 2,
        last_attempted_at: '2026-03-01T12:00:00Z',
      },
      current_step: { ...step, day_threshold: 1, action: 'retry', send_email: true },
      next_step: { ...step, day_threshold: 2, action: 'cancel', send_email: true },
    })
  })

  test('that is the last comes between the failed payment and the changes of state, and is the next one too', () => {
    assert.deepEqual(keysOf(third.settled), ['payment_failure', 'dunning_step_reached', 'subscription_state_change'])
    const { dunner, current_step, next_step } = dataOf(third)
    assert.deepEqual([dunner?.state, dunner?.attempts, dunner?.created_at], ['finished', 3, '2026-02-28T12:00:00Z'])
    assert.deepEqual([current_step?.day_threshold, current_step?.action, next_step], [2, 'cancel', current_step])
  })

  test('at a period’s end comes after the failed renewal', () => {
    const daily = signedUp({ product: product({ interval: { count: 1, unit: 'day' } }) })
    const renewed = assessed(assessed(daily, declined), declined)
    assert.deepEqual(keysOf(renewed.settled), [
      'payment_failure',
      'renewal_failure',
      'dunning_step_reached',
      'statement_closed',
    ])
    const { dunner } = dataOf(renewed)
    assert.equal(dunner?.revenue_at_risk_in_cents, 10_000)
  })

  test('promises a letter only where one is written: not on sites that send none, nor of retries without a card', () => {
    const sends = (lived: Parameters<typeof assessed>[0]) => {
      const { changes, settled } = assessed(lived, declined)
      const data = dataOf({ settled: changes.attempt ? settled : changes })
      return [data.current_step?.send_email, data.next_step?.send_email]
    }
    const facts = first.facts
    const silent = { ...facts, site: { ...facts.site, sendsFailedPaymentLetters: false } }
    assert.deepEqual(sends(first), [true, true])
    assert.deepEqual(sends({ ...first, facts: silent }), [false, false])
    assert.deepEqual(sends({ ...first, facts: { ...facts, card: null } }), [false, false])
    const daily = assessed(signedUp({ product: product({ interval: { count: 1, unit: 'day' } }) }), declined)
    assert.deepEqual(sends({ ...daily, facts: { ...daily.facts, card: null } }), [true, false])
  })
})

test('the end of a trial that is paid tells the change of state after the payment', () => {
  const trial = { price: cents(0), interval: { count: 7, unit: 'day' }, type: 'payment_expected' } as const
  const { settled } = assessed(signedUp({ product: product({ trial }) }))
  const keys = ['renewal_success', 'payment_success', 'subscription_state_change', 'statement_settled']
  assert.deepEqual(keysOf(settled), keys)
  assert.deepEqual(stateChanges(settled), [
    { previous_subscription_state: 'trialing', new_subscription_state: 'active' },
  ])
})

test('a period that ends while past due is paid with all that was owed, and settles the older statements first', () => {
  let lived = assessed(signedUp({ product: product({ interval: { count: 1, unit: 'day' } }) }), declined)
  lived = assessed(lived)
  const settled = (lived.settled.statements ?? []).map(({ id, settledAt }) => [id, settledAt !== null])
  assert.equal(lived.changes.attempt?.amount, 10_000)
  assert.deepEqual(settled, [
    [202, true],
    [203, true],
  ])
  assert.deepEqual(keysOf(lived.settled).slice(-2), ['statement_settled', 'statement_settled'])
})

describe('a subscription that is canceled while the gateway is asked', () => {
  const canceledMeanwhile = (outcome: typeof approved) => {
    const before = signedUp()
    const { ids } = before
    const due = before.facts.subscription.nextAssessmentAt
    const asked = written(before, assessed(before, outcome).changes)
    const attempt = assessed(before, outcome).changes.attempt!
    const collecting = having(asked, { collectingAttemptId: attempt.id })
    const canceled = written(
      collecting,
      decideCancellation(collecting.facts, { message: null, reasonCode: null }, due, ids),
    )
    return decideSettlement(canceled.facts, attempt, outcome, due, ids)
  }

  test('stays canceled when the payment went through, and the money counts', () => {
    const { subscription, events } = canceledMeanwhile(approved)
    assert.deepEqual([subscription?.state, subscription?.balance, subscription?.totalRevenue], ['canceled', 0, 10_000])
    assert.deepEqual(keysOf({ events: events ?? [] }), ['renewal_success', 'payment_success', 'statement_settled'])
  })

  test('stays canceled when it did not, without a retry', () => {
    for (const outcome of [declined, wrong]) {
      const { subscription } = canceledMeanwhile(outcome)
      assert.deepEqual(
        [subscription?.state, subscription?.retryAt, subscription?.dunningAttempts],
        ['canceled', null, 0],
      )
    }
  })
})

describe('a settlement', () => {
  test('is only ever of the attempt that is under way', () => {
    const { facts, ids, changes } = assessed(signedUp())
    const settle = () => decideSettlement(facts, changes.attempt!, approved, at('2026-03-01T00:00:00Z'), ids)
    assert.throws(settle, (error: unknown) => error instanceof BrokenInvariant)
  })

  test('never goes back in time', () => {
    const { facts, ids } = signedUp()
    const asked = written({ facts, ids }, assessed({ facts, ids }).changes)
    const attempt = assessed({ facts, ids }).changes.attempt!
    const seen = at('2026-03-05T00:00:00Z')
    const later = having(asked, { updatedAt: seen, collectingAttemptId: attempt.id })
    const { transactions } = decideSettlement(later.facts, attempt, approved, attempt.createdAt, ids)
    assert.ok(transactions?.[0]?.createdAt.equals(seen))
  })
})
