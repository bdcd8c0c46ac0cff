/** What an update changes, tells and refuses; and that what is named without a difference changes nothing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, card, having, keysOf, type Lived, product, signedUp } from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { may, type Subscription, subscriptionStates } from './subscription.ts'
import { decideUpdate, type Update } from './update.ts'

const now = at('2026-02-10T08:00:00Z')
const other = product({ productId: 8, name: 'Other' })
const newCard = { ...card, id: 6, vaultToken: '11' }

const update = (change: Update, state: Partial<Subscription> = {}, lived: Lived = signedUp()) => {
  const { facts, ids } = having(lived, state)
  const changes = decideUpdate(facts, change, now, ids)
  return { before: facts.subscription, changes, after: changes.subscription ?? facts.subscription }
}

describe('an update', () => {
  test('that names what is there already changes nothing at all', () => {
    const { subscription } = signedUp().facts
    const same: Update = {
      product: product(),
      nextProduct: null,
      nextBillingAt: subscription.currentPeriodEndsAt,
      expiresAt: null,
      cancelAtEndOfPeriod: false,
      cancellationMessage: null,
      reasonCode: null,
      collectionMethod: 'automatic',
    }
    assert.deepEqual(update(same).changes, {})
    assert.deepEqual(update({ cancelAtEndOfPeriod: true }, { cancelAtEndOfPeriod: true }).changes, {})
    assert.deepEqual(update({ nextProduct: product() }).changes, {})
  })

  test('waits, where it touches product or dates, for a payment that is under way', () => {
    const asked = { collectingAttemptId: 4 }
    const owing = { ...asked, state: 'past_due', balance: cents(5) } as const
    for (const change of [{ product: other }, { nextProduct: other }, { nextBillingAt: at('2026-05-05T00:00:00Z') }]) {
      assert.throws(() => update(change, asked), /A payment for this subscription is being processed\./)
    }
    assert.throws(() => update({ card: newCard }, owing), /is being processed/)
    assert.equal(update({ cancelAtEndOfPeriod: true }, asked).after.collectingAttemptId, 4)
  })

  test('goes by the table of states', () => {
    const acts = [
      ['changeProduct', { product: other }],
      ['changeProductLater', { nextProduct: other }],
      ['moveBillingDate', { nextBillingAt: at('2026-05-05T00:00:00Z') }],
      ['cancelAtEndOfPeriod', { cancelAtEndOfPeriod: true }],
    ] as const
    for (const [act, change] of acts) {
      for (const state of subscriptionStates) {
        // Of one that waits, the next billing is the first one.
        const isFirst = act === 'moveBillingDate' && may('activate', state)
        if (may(act, state) || isFirst) update(change, { state })
        else assert.throws(() => update(change, { state }), /^Refusal: /, `${act} ${state}`)
      }
    }
  })
})

describe('a product', () => {
  test('changes at once, and a change that was to come is forgotten', () => {
    const { after, changes } = update({ product: other }, { nextProductId: 9 })
    assert.deepEqual([after.productId, after.nextProductId], [8, null])
    assert.deepEqual([keysOf(changes), changes.transactions], [['subscription_product_change'], []])
  })

  test('changes later without a word; the present one calls that off', () => {
    const later = update({ nextProduct: other })
    assert.deepEqual([later.after.productId, later.after.nextProductId, keysOf(later.changes)], [7, 8, []])
    assert.equal(update({ nextProduct: product() }, { nextProductId: 8 }).after.nextProductId, null)
    assert.equal(update({ nextProduct: null }, { nextProductId: 8, state: 'canceled' }).after.nextProductId, null)
  })
})

describe('the billing date', () => {
  const to = at('2026-03-10T00:00:00Z')

  test('takes the period, the anchor and a scheduled cancellation with it', () => {
    const { before, after, changes } = update({ nextBillingAt: to }, { cancelAtEndOfPeriod: true })
    for (const field of ['currentPeriodEndsAt', 'nextAssessmentAt', 'anchorAt', 'delayedCancelAt'] as const) {
      assert.equal(String(after[field]), String(to), field)
    }
    assert.equal(after.anchorPeriodNumber, 2)
    assert.deepEqual(changes.movedPeriods, [{ subscriptionId: before.id, number: 1, endsAt: to }])
    const [told] = changes.events ?? []
    assert.equal(
      told?.message,
      "Billing date changed on Ada Lovelace's subscription to Pro from 02/28/2026 to 03/10/2026",
    )
  })

  test('lies in the future', () => {
    assert.throws(() => update({ nextBillingAt: now }), /^Refusal: Provided 'Next Billing' date must be in the future$/)
    assert.equal(
      String(update({ nextBillingAt: now.add({ seconds: 1 }) }).after.currentPeriodEndsAt),
      '2026-02-10T08:00:01Z',
    )
  })

  test('leaves a retry that comes before it', () => {
    const retryAt = at('2026-02-11T00:00:00Z')
    const { after } = update({ nextBillingAt: to }, { state: 'past_due', retryAt })
    assert.equal(String(after.nextAssessmentAt), String(retryAt))
  })

  test('moves a trial, and the expiration by as much where it is asked to', () => {
    const trial = { price: cents(0), interval: { count: 10, unit: 'day' }, type: 'no_obligation' } as const
    const expiresAt = at('2026-06-01T00:00:00Z')
    const lived = having(signedUp({ product: product({ trial }) }), { expiresAt })
    const moved = update({ nextBillingAt: at('2026-02-12T12:00:00Z'), expirationFollows: true }, {}, lived)
    assert.deepEqual(
      [String(moved.after.trialEndedAt), String(moved.after.expiresAt)],
      ['2026-02-12T12:00:00Z', '2026-06-03T00:00:00Z'],
    )
    assert.deepEqual(keysOf(moved.changes), ['billing_date_change', 'expiration_date_change'])
    const named = update({ nextBillingAt: to, expirationFollows: true, expiresAt: null }, {}, lived)
    assert.equal(named.after.expiresAt, null)
    assert.deepEqual(keysOf(named.changes), ['billing_date_change', 'expiration_date_change'])
    assert.equal(String(update({ nextBillingAt: to }, {}, lived).after.expiresAt), String(expiresAt))
  })
})

describe('a new card', () => {
  test('pays from now on, and asks for nothing unless something is past due', () => {
    for (const state of subscriptionStates) {
      const { after, changes } = update({ card: newCard }, { state, balance: cents(700) })
      assert.equal(after.paymentProfileId, 6)
      assert.deepEqual(keysOf(changes), ['subscription_card_update'])
      const asked = changes.attempt && [changes.attempt.reason, changes.attempt.amount, changes.attempt.vaultToken]
      assert.deepEqual(asked, state === 'past_due' ? ['card_update', 700, '11'] : undefined, state)
    }
    assert.equal(update({ card: newCard }, { state: 'past_due' }).changes.attempt, undefined)
    const invoiced = { state: 'past_due', balance: cents(7), paymentCollectionMethod: 'invoice' } as const
    assert.equal(update({ card: newCard }, invoiced).changes.attempt, undefined)
  })
})

describe('the rest', () => {
  test('who collects is told', () => {
    const { changes, after } = update({ collectionMethod: 'invoice' })
    assert.equal(after.paymentCollectionMethod, 'invoice')
    assert.deepEqual(changes.events?.[0]?.eventSpecificData, { previous_value: 'automatic', current_value: 'invoice' })
  })

  test('notes are kept without a word', () => {
    const { changes, after } = update({ cancellationMessage: 'Soon', reasonCode: 'R' })
    assert.deepEqual([after.cancellationMessage, after.reasonCode, keysOf(changes)], ['Soon', 'R', []])
  })

  test('an expiration is told in days', () => {
    const { changes } = update({ expiresAt: at('2026-12-24T00:00:00Z') })
    assert.equal(
      changes.events?.[0]?.message,
      "Expiration date changed on Ada Lovelace's subscription to Pro from never to 12/24/2026",
    )
  })

  test('a cancellation at the end of the period is scheduled and called off', () => {
    const { after, changes } = update({ cancelAtEndOfPeriod: true })
    assert.deepEqual([after.cancelAtEndOfPeriod, after.delayedCancelAt], [true, after.currentPeriodEndsAt])
    assert.deepEqual(changes.events?.[0]?.eventSpecificData, {
      cancellation_state: 'start',
      cancels_at: '2026-02-28T12:00:00Z',
    })
    const off = update({ cancelAtEndOfPeriod: false }, after)
    assert.deepEqual([off.after.cancelAtEndOfPeriod, off.after.delayedCancelAt], [false, null])
    assert.deepEqual(update({ cancelAtEndOfPeriod: false }, { ...after, state: 'canceled' }).changes, {})
    assert.throws(() => update({ cancelAtEndOfPeriod: true }, { ...after, state: 'canceled' }), /already canceled/)
  })
})
