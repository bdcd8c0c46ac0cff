/** What a sign-up writes: the new subscription in full, its event, and a first statement that is closed and paid. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, card, product, signedUp } from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { planSignup } from './signup.ts'

const started = at('2026-01-31T12:00:00Z')
const ends = at('2026-02-28T12:00:00Z')

const trial = { interval: { count: 14, unit: 'day' }, price: cents(0), type: 'payment_expected' } as const

test('a paid sign-up: each field of the subscription', () => {
  const { facts } = signedUp()
  assert.deepEqual(facts.subscription, {
    ...{ siteId: 1, id: 9, customerId: 3, productId: 7, productVersionNumber: 1, paymentProfileId: card.id },
    ...{ paymentCollectionMethod: 'automatic', state: 'active', balance: 0, totalRevenue: 5000, periodNumber: 1 },
    ...{ anchorAt: started, anchorTimeZone: 'UTC', anchorPeriodNumber: 1, currentPeriodStartedAt: started },
    ...{ anchorElapsedMonths: 0, anchorElapsedDays: 0 },
    ...{ currentPeriodEndsAt: ends, nextAssessmentAt: ends, retryAt: null, dunningAttempts: 0, dunningSince: null },
    ...{ initialChargeDue: false, trialStartedAt: null, trialEndedAt: null, activatedAt: started, expiresAt: null },
    ...{ canceledAt: null, cancellationMessage: null, cancellationMethod: null, reasonCode: null },
    ...{ cancelAtEndOfPeriod: null, delayedCancelAt: null, signupRevenue: 5000, signupPaymentId: 102 },
    ...{ openStatementId: 202, openStatementTotal: 0, coveredThroughId: 102, collectingAttemptId: null },
    snapDay: null,
    ...{
      nextProductId: null,
      onHoldAt: null,
      automaticallyResumeAt: null,
      invoicedThroughId: null,
      initialBillingAt: null,
    },
    ...{ reference: null, netTerms: null, receivesInvoiceEmails: null },
    ...{ createdAt: started, updatedAt: started },
  })
})

test('the first statement is closed and settled, the next one is open and empty', () => {
  const { newStatements } = signedUp().changes
  const first = { siteId: 1, id: 201, subscriptionId: 9, openedAt: started, startingBalance: 0, memo: null }
  assert.deepEqual(newStatements, [
    { ...first, closedAt: started, settledAt: started, endingBalance: 0, total: 5000 },
    { ...first, id: 202, closedAt: null, settledAt: null, endingBalance: null, total: 0 },
  ])
})

test('the event of a sign-up names its payment, else what was charged for the trial; an import names nothing', () => {
  const told = (terms: Parameters<typeof signedUp>[0]) =>
    signedUp(terms).changes.events!.map(({ key, eventSpecificData }) => [
      key,
      eventSpecificData?.account_transaction_id,
    ])
  assert.deepEqual(told({}).slice(0, 2), [
    ['signup_success', 102],
    ['payment_success', 102],
  ])
  assert.deepEqual(told({ product: product({ trial }) })[0], ['signup_success', 101])
  assert.deepEqual(told({ nextBillingAt: at('2026-03-10T00:00:00Z') })[0], ['signup_success', null])
})

test('an import begins with an open and empty statement, owes nothing, and counts its periods from the date given', () => {
  const nextBillingAt = at('2026-03-10T00:00:00Z')
  const { facts, changes } = signedUp({ nextBillingAt })
  const { anchorAt, anchorPeriodNumber, openStatementId, openStatementTotal, totalRevenue, coveredThroughId } =
    facts.subscription
  assert.deepEqual(
    [anchorAt, anchorPeriodNumber, openStatementId, openStatementTotal, totalRevenue, coveredThroughId],
    [nextBillingAt, 2, 201, 0, 0, 0],
  )
  assert.equal(changes.newStatements!.length, 1)
  assert.equal(changes.newStatements![0]!.closedAt, null)
})

test('a setup fee waits only for the end of a trial', () => {
  const due = (terms: Parameters<typeof product>[0]) =>
    signedUp({ product: product({ initialCharge: cents(2000), ...terms }) }).facts.subscription.initialChargeDue
  assert.deepEqual(
    [
      due({ initialChargeAfterTrial: true }),
      due({ initialChargeAfterTrial: true, trial }),
      due({ trial }),
      due({ initialChargeAfterTrial: true, trial, initialCharge: cents(0) }),
    ],
    [false, true, false, false],
  )
})

test('without a card there is none on the subscription; by invoice nothing is due at once', () => {
  const { facts } = signedUp({ collectionMethod: 'invoice', card: null })
  assert.equal(facts.subscription.paymentProfileId, null)
  const { site, product: own, pricing } = facts
  const terms = { site, product: own, pricing, collectionMethod: 'invoice', nextBillingAt: null } as const
  assert.equal(planSignup(terms, started).paymentDue, 0)
  const calendar = { snapDay: '1', firstCharge: 'immediate' } as const
  assert.equal(planSignup({ ...terms, calendar }, started).paymentDue, 0)
  assert.equal(planSignup({ ...terms, calendar, collectionMethod: 'automatic' }, started).paymentDue, 5000)
})
