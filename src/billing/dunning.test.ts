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

const fail = ([from, failure, { attempts = 0, settings, endsFreeTrial = false }]: Readonly<Case>) => {
  const asked: Partial<Subscription> = { state: from, dunningAttempts: attempts, nextAssessmentAt: now }
  const { subscription } = having(signedUp(), asked).facts
  const all = { attempts: 3, intervalHours: 24, finalAction: 'cancel', ...settings } as const
  return afterFailedCollection(subscription, { failure, endsFreeTrial, settings: all, now })
}

describe('a failed collection', () => {
  for (const [title, one] of Object.entries(cases)) {
    test(title, () => {
      const [from, , , expected, { attempts, retryAt, next }] = one
      const { subscription, passed } = fail(one)
      const { dunningAttempts, state } = subscription
      assert.deepEqual([passed, state, dunningAttempts], [expected, expected.at(-1) ?? from, attempts])
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

describe('the next assessment', () => {
  const { subscription } = signedUp().facts

  test('is the retry or the end of the period, whichever comes first', () => {
    assert.equal(String(withRetry(subscription, nextDay).nextAssessmentAt), String(nextDay))
    assert.equal(String(withRetry(subscription, periodEnd.add({ hours: 1 })).nextAssessmentAt), String(periodEnd))
    assert.equal(String(withRetry(subscription, null).nextAssessmentAt), String(periodEnd))
  })
})
