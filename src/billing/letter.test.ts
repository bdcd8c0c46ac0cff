/** Letters follow from events: which, to whom, and with what; and how long one is tried that cannot be sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../test/support/story-facts.ts'
import { type EventSubject, event, paymentFailure, paymentSuccess, renewalFailure, stateChange } from './event.ts'
import { lettersOf, nextLetterAttemptAt } from './letter.ts'
import { pendingCancellationChange } from './life-event.ts'
import { cents } from './money.ts'

const subject: EventSubject = {
  siteId: 1,
  subscriptionId: 9,
  customerId: 3,
  customerName: 'Ada Lovelace',
  productId: 7,
  productName: 'Pro',
  currency: 'USD',
  at: at('2026-02-28T12:00:00Z'),
}

const told = (...events: Parameters<typeof lettersOf>[0][number][]) =>
  lettersOf(events).map(({ kind, transactionId, details }) => ({ kind, transactionId, details }))

test('a letter goes to the customer of the event, about its subscription, dated as the event is', () => {
  assert.deepEqual(lettersOf([paymentSuccess(subject, cents(5000), 101)]), [
    {
      siteId: 1,
      kind: 'receipt',
      customerId: 3,
      subscriptionId: 9,
      transactionId: 101,
      details: {},
      createdAt: subject.at,
    },
  ])
})

test('an event that concerns no subscription or no customer makes no letter', () => {
  const paid = paymentSuccess(subject, cents(5000), 101)
  assert.deepEqual(told({ ...paid, customerId: null }), [])
  assert.deepEqual(told({ ...paid, subscriptionId: null }), [])
})

test('a receipt without a transaction on record names none', () => {
  const paid = { ...paymentSuccess(subject, cents(5000), 101), eventSpecificData: null }
  assert.deepEqual(told(paid), [{ kind: 'receipt', transactionId: null, details: {} }])
  const text = { ...paid, eventSpecificData: { account_transaction_id: '101' } }
  assert.deepEqual(told(text), [{ kind: 'receipt', transactionId: null, details: {} }])
})

test('a renewal whose payment failed is told once, with the payment; one without a card is told too', () => {
  const failure = { kind: 'payment_failed', details: {} }
  const declined = paymentFailure(subject, cents(5000), 102)
  const renewal = renewalFailure(subject, null)
  assert.deepEqual(told(declined, renewal), [{ ...failure, transactionId: 102 }])
  assert.deepEqual(told(renewal), [{ ...failure, transactionId: null }])
  assert.deepEqual(
    told({ ...declined, subscriptionId: 8 }, renewal),
    [102, null].map((transactionId) => ({ ...failure, transactionId })),
  )
  const received = { kind: 'receipt', transactionId: 101, details: {} }
  assert.deepEqual(told(paymentSuccess(subject, cents(1), 101), renewal), [
    received,
    { ...failure, transactionId: null },
  ])
})

test('a notice says what will be taken and when, as it was when it was announced', () => {
  const announced = { estimatedAmount: cents(4250), periodEndsAt: at('2026-03-31T12:00:00Z') }
  const details = { amount_in_cents: 4250, ends_at: '2026-03-31T12:00:00Z' }
  assert.deepEqual(told(event(subject, 'trial_end_notice', '', null, announced)), [
    { kind: 'trial_ending', transactionId: null, details },
  ])
  assert.deepEqual(told(event(subject, 'upcoming_renewal_notice', '', null, announced)), [
    { kind: 'upcoming_renewal', transactionId: null, details },
  ])
  assert.deepEqual(told(event(subject, 'upcoming_renewal_notice', '')), [
    { kind: 'upcoming_renewal', transactionId: null, details: { amount_in_cents: null, ends_at: null } },
  ])
  assert.deepEqual(told(event(subject, 'expiring_card', '')), [
    { kind: 'card_expiring', transactionId: null, details: {} },
  ])
})

test('an end is told when it comes and when it is announced, and not when it is called off', () => {
  const cancellation = { kind: 'cancellation', transactionId: null }
  assert.deepEqual(told(stateChange(subject, 'active', 'canceled')), [
    { ...cancellation, details: { cancels_at: null } },
  ])
  assert.deepEqual(told(stateChange(subject, 'active', 'past_due')), [])
  assert.deepEqual(told({ ...stateChange(subject, 'active', 'canceled'), eventSpecificData: null }), [])
  const scheduled = pendingCancellationChange(subject, 'start', at('2026-03-31T12:00:00Z'), '03/31/2026')
  assert.deepEqual(told(scheduled), [{ ...cancellation, details: { cancels_at: '2026-03-31T12:00:00Z' } }])
  assert.deepEqual(told(pendingCancellationChange(subject, 'stop', at('2026-03-31T12:00:00Z'), '')), [])
  assert.deepEqual(told({ ...scheduled, eventSpecificData: null }), [])
  assert.deepEqual(told({ ...scheduled, eventSpecificData: { cancellation_state: 'start', cancels_at: null } }), [
    { ...cancellation, details: { cancels_at: null } },
  ])
})

test('what is no concern of the customer makes no letter', () => {
  assert.deepEqual(told(event(subject, 'statement_closed', ''), event(subject, 'metered_usage', '')), [])
})

test('a letter is tried nine times, after 1, 5 and 30 minutes, 2, 6, 12, 24 and 24 hours', () => {
  const now = at('2026-02-28T12:00:00Z')
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) =>
    nextLetterAttemptAt(attempts, now)?.since(now).total('minutes'),
  )
  assert.deepEqual(waits, [1, 5, 30, 120, 360, 720, 1440, 1440])
  assert.equal(nextLetterAttemptAt(9, now), null)
})
