/** What becomes of a subscription after each failed collection: the table of states, retries and counts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, having, signedUp } from '../../test/support/story-facts.ts'
import { afterFailedCollection, type Failure, withRetry } from './dunning.ts'
import type { DunningSettings } from './site.ts'
import type { Subscription, SubscriptionState } from './subscription.ts'

const now = at('2026-02-10T00:00:00Z')
const nextDay = at('2026-02-11T00:00:00Z')
const nextHour = at('2026-02-10T01:00:00Z')
const periodEnd = at('2026-02-28T12:00:00Z')

type After = { attempts: number; retryAt: Temporal.Instant | null; next: Temporal.Instant }
type Options = { attempts?: number; settings?: Partial<DunningSettings>; endsFreeTrial?: boolean }
type Case = [SubscriptionState, Failure, Options, SubscriptionState[], After]

const waits = (attempts: number): After => ({ attempts, retryAt: nextDay, next: nextDay })
const inAnHour = (attempts: number): After => ({ attempts, retryAt: nextHour, next: nextHour })
/** Nothing more is asked for; periods go on. */
const goesOn: After = { attempts: 0, retryAt: null, next: periodEnd }
/** Nothing is due any more; the next assessment stays as it was. */
const over: After = { attempts: 0, retryAt: null, next: now }

const free = { endsFreeTrial: true }
const once = { settings: { attempts: 1 } }
const toUnpaid = { settings: { finalAction: 'unpaid' } } as const

/** From which state, how it failed, with what behind it; the states it passes through and what is next. */
const cases: Record<string, Case> = {
  'the first decline of a renewal is attempt 1': ['active', 'declined', {}, ['past_due'], waits(1)],
  'no card counts like a decline': ['active', 'no_card', {}, ['past_due'], waits(1)],
  'a declined retry is the next attempt': ['past_due', 'declined', { attempts: 1 }, [], waits(2)],
  'the last attempt cancels': ['past_due', 'declined', { attempts: 2 }, ['canceled'], over],
  'or leaves unpaid': ['past_due', 'declined', { attempts: 2, ...toUnpaid }, ['unpaid'], goesOn],
  'a single attempt passes through past_due': ['active', 'declined', once, ['past_due', 'canceled'], over],
  'a single attempt without a card too': ['active', 'no_card', once, ['past_due', 'canceled'], over],
  'a trial that expects payment goes the same way': ['trialing', 'declined', {}, ['past_due'], waits(1)],
  'one that obliged to nothing is unpaid at once': ['trialing', 'declined', free, ['unpaid'], goesOn],
  'after such a trial payment is expected': ['active', 'declined', free, ['past_due'], waits(1)],
  'a gateway error counts for nothing': ['active', 'error', {}, ['soft_failure'], inAnHour(0)],
  'nor does one at the end of a trial': ['trialing', 'error', free, ['soft_failure'], inAnHour(0)],
  'a second gateway error is no change of state': ['soft_failure', 'error', {}, [], inAnHour(0)],
  'a gateway error while past due keeps the count': ['past_due', 'error', { attempts: 2 }, [], inAnHour(2)],
  'a decline after gateway errors is attempt 1': ['soft_failure', 'declined', {}, ['past_due'], waits(1)],
  'what was canceled meanwhile stays canceled': ['canceled', 'declined', {}, [], over],
  'unpaid stays unpaid': ['unpaid', 'declined', {}, [], over],
}

const began = at('2026-02-08T00:00:00Z')

const fail = ([from, failure, { attempts = 0, settings, endsFreeTrial = false }]: Readonly<Case>) => {
  const dunningSince = attempts === 0 ? null : began
  const asked: Partial<Subscription> = { state: from, dunningAttempts: attempts, dunningSince, nextAssessmentAt: now }
  const { subscription } = having(signedUp(), asked).facts
  const all = { attempts: 3, intervalHours: 24, finalAction: 'cancel', ...settings } as const
  return afterFailedCollection(subscription, { failure, endsFreeTrial, settings: all, now })
}

describe('a failed collection', () => {
  for (const [title, one] of Object.entries(cases)) {
    test(title, () => {
      const [from, , , expected, { attempts, retryAt, next }] = one
      const { subscription, passed } = fail(one)
      const { dunningAttempts, dunningSince, state } = subscription
      assert.deepEqual([passed, state, dunningAttempts], [expected, expected.at(-1) ?? from, attempts])
      assert.equal(dunningSince !== null, attempts > 0)
      assert.deepEqual(
        [String(subscription.retryAt), String(subscription.nextAssessmentAt)],
        [String(retryAt), String(next)],
      )
    })
  }

  test('the final cancellation says when, how and why; unpaid says nothing of the kind', () => {
    const canceled = fail(cases['the last attempt cancels']!).subscription
    assert.equal(canceled.cancellationMethod, 'dunning')
    assert.equal(canceled.cancellationMessage, 'Canceled after failed automatic dunning process expired.')
    assert.ok(canceled.canceledAt?.equals(now))
    const unpaid = fail(cases['or leaves unpaid']!).subscription
    assert.deepEqual([unpaid.canceledAt, unpaid.cancellationMethod, unpaid.cancellationMessage], [null, null, null])
  })

  test('the dunning dates from its first decline, whatever comes after', () => {
    assert.deepEqual(fail(cases['the first decline of a renewal is attempt 1']!).subscription.dunningSince, now)
    assert.deepEqual(fail(cases['a declined retry is the next attempt']!).subscription.dunningSince, began)
    assert.deepEqual(fail(cases['a gateway error while past due keeps the count']!).subscription.dunningSince, began)
  })

  test('fourteen attempts are fourteen failures, the renewal among them', () => {
    let { subscription } = signedUp().facts
    const settings = { attempts: 14, intervalHours: 24, finalAction: 'cancel' } as const
    let failures = 0
    for (let moment = now; subscription.state !== 'canceled' && failures < 99; moment = moment.add({ hours: 24 })) {
      const facts = { failure: 'declined', endsFreeTrial: false, settings, now: moment } as const
      subscription = afterFailedCollection(subscription, facts).subscription
      failures += 1
    }
    assert.equal(failures, 14)
    assert.equal(String(subscription.canceledAt), '2026-02-23T00:00:00Z')
  })
})

describe('a step of the dunning', () => {
  const steps: Record<string, [Case, [attempts: number, day: number, action: string, next: unknown] | undefined]> = {
    'is not the failure that begins it': [['active', 'declined', {}, [], over], undefined],
    'is every later one': [
      ['past_due', 'declined', { attempts: 1 }, [], over],
      [2, 1, 'retry', [2, 'cancel']],
    ],
    'is one without a card too': [
      ['past_due', 'no_card', { attempts: 1 }, [], over],
      [2, 1, 'retry', [2, 'cancel']],
    ],
    'is the last one': [
      ['past_due', 'declined', { attempts: 2 }, [], over],
      [3, 2, 'cancel', undefined],
    ],
    'is the one that gives up': [
      ['past_due', 'declined', { attempts: 2, ...toUnpaid }, [], over],
      [3, 2, 'unpaid', undefined],
    ],
    'is the first failure where that is the last': [
      ['active', 'declined', once, [], over],
      [1, 0, 'cancel', undefined],
    ],
    'is the last one also when more failed than are wanted by now': [
      ['past_due', 'declined', { attempts: 5 }, [], over],
      [6, 5, 'cancel', undefined],
    ],
    'counts whole days of the schedule': [
      ['past_due', 'declined', { attempts: 2, settings: { attempts: 9, intervalHours: 20 } }, [], over],
      [3, 1, 'retry', [2, 'retry']],
    ],
    'counts no days that are not over': [
      ['past_due', 'declined', { attempts: 1, settings: { attempts: 9, intervalHours: 23 } }, [], over],
      [2, 0, 'retry', [1, 'retry']],
    ],
    'is no gateway error': [['past_due', 'error', { attempts: 2 }, [], over], undefined],
    'is no end of a trial that obliged to nothing': [
      ['trialing', 'declined', { ...free, ...once }, [], over],
      undefined,
    ],
    'is nothing that came after the end': [['canceled', 'declined', { attempts: 2 }, [], over], undefined],
  }
  for (const [title, [one, expected]] of Object.entries(steps)) {
    test(title, () => {
      const { step } = fail(one)
      const next = step?.next ? [step.next.day, step.next.action] : undefined
      assert.deepEqual(step && [step.attempts, step.current.day, step.current.action, next], expected)
    })
  }

  test('tells when the dunning began and when it was asked last', () => {
    const { step } = fail(cases['the last attempt cancels']!)
    assert.deepEqual([step?.since, step?.lastAttemptedAt], [began, now])
    const only = fail(cases['a single attempt passes through past_due']!).step
    assert.deepEqual([only?.since, only?.lastAttemptedAt], [now, now])
  })
})

describe('the next assessment', () => {
  const { subscription } = signedUp().facts

  test('is the retry or the end of the period, whichever comes first', () => {
    assert.equal(String(withRetry(subscription, nextDay).nextAssessmentAt), String(nextDay))
    assert.equal(String(withRetry(subscription, periodEnd.add({ hours: 1 })).nextAssessmentAt), String(periodEnd))
    assert.equal(String(withRetry(subscription, null).nextAssessmentAt), String(periodEnd))
  })
})
