/** Signs a customer up: decided and put on record first, the gateway is asked then, and only a paid sign-up exists. */
import type { Changes, Outcome, PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import { type Customer, fullName } from '../billing/customer.ts'
import { decideDelayedSignup } from '../billing/delayed-signup.ts'
import { customerEvent, signupFailure } from '../billing/event.ts'
import type { MetadatumChange } from '../billing/metafield.ts'
import { askedCard, attemptKey, noCard } from '../billing/payment-attempt.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import { invalid } from '../billing/refusal.ts'
import { attemptedSubscription, decideSignup, type SignupPlan } from '../billing/signup.ts'
import type { Site } from '../billing/site.ts'
import type { Transaction } from '../store/database.ts'
import { drawAttemptId, drawIds, nextIds } from '../store/ids.ts'
import { settleAttempts } from '../store/payment-attempts.ts'
import { setVaultToken } from '../store/payment-calls.ts'
import { type App, write } from './app.ts'
import { beforeRecording, firstCall, makeCall, type Recorded } from './ask-gateway.ts'
import { commit } from './commit.ts'
import { type GivenMetadata, prepareMetadata, saveGivenMetadata } from './give-metadata.ts'
import { findSignupPlan, type SignupCommand } from './plan-signup.ts'
import { refuseTaken } from './refuse-taken.ts'
import { hearOfSignup, keepTrying } from './settle-payments.ts'
import { beginComponents } from './signup-components.ts'
import { holdCustomer, newCustomer, type Parties } from './signup-parties.ts'
import { redeemAtSignup } from './signup-pricing.ts'
import { newCardVault, storeCard } from './store-card.ts'
import { undoOwnSignup } from './undo-signup.ts'

export type CreateSubscription = SignupCommand & { cancellationMessage: string | null }

/** Everything decided before money is asked for; ids are drawn, nothing but the attempt is written. */
type Prepared = {
  site: Site
  now: Temporal.Instant
  plan: SignupPlan
  customer: Customer
  isNewCustomer: boolean
  parties: Parties
  paymentProfileId: number
  subscriptionId: number
  attempt: PaymentAttempt
  message: string | null
  /** Takes the place of the one that an existing customer has. */
  vatNumber: string | null
  metafields: readonly MetadatumChange[]
  customerMetafields: readonly MetadatumChange[]
}

/**
 * Gives the id of the new subscription. Refuses, with every problem at once, what is missing or unknown; and in the gateway's words
 * a payment that was not approved, which leaves neither subscription nor customer nor card behind.
 */
export async function createSubscription(app: App, siteId: number, command: CreateSubscription): Promise<number> {
  const prepared = await prepare(app, siteId, command)
  app.reach('signup: decided, nothing on record')
  const mustPay = prepared.plan.paymentDue > 0
  const recorded = beforeRecording(app)
  if (mustPay) {
    await app.db.transaction(async (tx) => {
      const redeemed = await redeemAtSignup(
        tx,
        siteId,
        prepared.plan.terms.pricing,
        prepared.subscriptionId,
        prepared.now,
      )
      await commit(app, tx, siteId, [{ attempt: prepared.attempt, ...redeemed }])
    })
    app.reach('signup: attempt on record')
  }
  let card: PaymentProfile | null
  try {
    card = await cardOf(app, prepared)
  } catch (error) {
    await recordFailure(app, prepared, null, { outcome: cardNotStored, heard: 1 })
    throw error
  }
  if (card !== null) prepared.attempt = { ...prepared.attempt, ...askedCard(card) }
  app.reach('signup: card stored')
  const paid = mustPay ? await pay(app, prepared, card, recorded) : null
  app.reach('signup: gateway answered')
  const id = await complete(app, prepared, card, paid)
  app.reach('signup: committed')
  return id
}

async function prepare(app: App, siteId: number, command: CreateSubscription): Promise<Prepared> {
  const { site, now, plan, parties } = await findSignupPlan(app, siteId, command, {
    needsCard: true,
    needsCustomer: true,
  })
  const [newCustomerId, paymentProfileId, subscriptionId] = await nextIds(
    app.db,
    'customers',
    'payment_profiles',
    'subscriptions',
  )
  const attemptId = await drawAttemptId(app.db)
  const attempt = newAttempt(site, now, plan, parties, subscriptionId!, attemptId)
  const customer = parties.existing ?? newCustomer(siteId, newCustomerId!, parties.details!, now)
  const isNewCustomer = parties.existing === null
  const message = command.cancellationMessage
  return {
    site,
    now,
    plan,
    customer,
    isNewCustomer,
    parties,
    paymentProfileId: paymentProfileId!,
    subscriptionId: subscriptionId!,
    attempt,
    message,
    vatNumber: command.vatNumber ?? null,
    metafields: command.metafields ?? [],
    customerMetafields: command.customerMetafields ?? [],
  }
}

function newAttempt(
  site: Site,
  now: Temporal.Instant,
  plan: SignupPlan,
  { storedCard, newCard }: Parties,
  subscriptionId: number,
  id: number,
): PaymentAttempt {
  return {
    siteId: site.id,
    id,
    subscriptionId,
    reason: 'signup',
    periodNumber: 1,
    idempotencyKey: attemptKey(site, { subscriptionId, id }),
    amount: plan.paymentDue,
    gateway: storedCard?.currentVault ?? newCard?.imported?.currentVault ?? newCardVault,
    vaultToken: null,
    ...noCard,
    intent: null,
    createdAt: now,
  }
}

async function cardOf(app: App, prepared: Prepared): Promise<PaymentProfile | null> {
  const { parties, site, customer, now, paymentProfileId, attempt } = prepared
  if (parties.newCard === null) return parties.storedCard
  const owner = { siteId: site.id, id: paymentProfileId, customerId: customer.id, now }
  return storeCard(app, parties.newCard, owner, attempt.idempotencyKey)
}

/** Gives an approved outcome, or undoes what there is and refuses in the gateway's words. */
async function pay(app: App, prepared: Prepared, card: PaymentProfile | null, recorded: Recorded): Promise<Paid> {
  const { attempt } = prepared
  const call = firstCall(attempt, { ...recorded, atMs: app.timers.monotonicMs() })
  if (!(await setVaultToken(app.db, attempt, call.hold))) throw invalid(givenUp)
  app.reach('signup: card on record')
  const { outcome, heard } = await makeCall(app, call)
  if (outcome.result === 'approved') return { outcome, heard }
  if (outcome.result === 'unknown') {
    await undoOwnSignup(app, attempt)
    await recordFailure(app, prepared, card, null)
    throw invalid(`${outcome.message} The sign-up was not completed; if money moved, it will be given back.`)
  }
  app.reach('signup: payment refused')
  await recordFailure(app, prepared, card, { outcome, heard })
  app.reach('signup: refusal on record')
  throw invalid(outcome.message)
}

type Paid = { outcome: Extract<Outcome, { result: 'approved' }>; heard: 0 | 1 }

const cardNotStored = { result: 'error', message: 'The card could not be stored.' } as const

/** Told when recovery took the sign-up for abandoned: it took too long, or the database was away. */
const givenUp = 'The sign-up took too long and was given up; if money moved, it will be given back. Please try again.'

/**
 * The attempt, where one was made, keeps its outcome, and the event tells of the failure; nothing else of the sign-up is kept.
 * Without an outcome the attempt is left to recovery.
 */
const recordFailure = (
  app: App,
  { site, customer, isNewCustomer, plan, attempt, now, message }: Prepared,
  card: PaymentProfile | null,
  answer: { outcome: SettledOutcome; heard: 0 | 1 } | null,
): Promise<void> =>
  app.db.transaction(async (tx) => {
    if (answer) await settleAttempts(tx, site.id, [{ attempt, ...answer }])
    const subject = {
      siteId: site.id,
      subscriptionId: attempt.subscriptionId,
      customerId: customer.id,
      customerName: fullName(customer),
      productId: plan.terms.product.productId,
      productName: plan.terms.product.name,
      currency: site.currency,
      at: now,
    }
    const subscription = attemptedSubscription(
      { plan, subscriptionId: attempt.subscriptionId, customer, card, payment: null, cancellationMessage: message },
      now,
    )
    const failed = {
      ...signupFailure(subject),
      subscriptionId: null,
      customerId: isNewCustomer ? null : customer.id,
      particulars: {
        failedSignup: {
          subscription,
          customer,
          card,
          terms: plan.terms.product,
          coupons: plan.terms.pricing.coupons,
        },
      },
    }
    await commit(app, tx, site.id, [{ events: [failed] }])
  })

/** What was captured for a sign-up that cannot be completed; where recovery gave it up already, as a late approval. */
async function giveBack(app: App, paid: Paid & { attempt: PaymentAttempt }): Promise<void> {
  const isLate = await hearOfSignup(app, paid)
  if (!isLate) await undoOwnSignup(app, paid.attempt)
}

async function complete(app: App, prepared: Prepared, card: PaymentProfile | null, paid: Paid | null): Promise<number> {
  const { site, now, plan, customer, isNewCustomer, parties, subscriptionId, attempt, message } = prepared
  const payment = paid && { attempt, ...paid }
  try {
    return await write(app, async (tx) => {
      const given = await prepareGiven(tx, prepared)
      if (payment && (await settleAttempts(tx, site.id, [payment])).size === 0) {
        throw invalid(givenUp)
      }
      const told = isNewCustomer ? [] : await holdCustomer(tx, customer, prepared.vatNumber, now)
      const redeemed = payment ? {} : await redeemAtSignup(tx, site.id, plan.terms.pricing, subscriptionId, now)
      const ids = await drawIds(tx, site.id, {
        transactions: plan.assessment.lines.length + 1,
        statements: 2,
        attempts: 0,
      })
      const decide = plan.terms.delay ? decideDelayedSignup : decideSignup
      const signedUp = decide({ plan, subscriptionId, customer, card, payment, cancellationMessage: message }, now, ids)
      const subject = { siteId: site.id, customerId: customer.id, customerName: fullName(customer), at: now }
      const events = [
        ...(isNewCustomer ? [customerEvent(subject, 'create')] : told),
        ...(signedUp.events ?? []),
        ...given.flatMap(({ changes }) => changes.events),
      ]
      const changes: Changes = {
        ...signedUp,
        ...redeemed,
        ...(await beginComponents(tx, plan, subscriptionId, now)),
        ...(isNewCustomer && { newCustomer: customer }),
        events,
        ...(parties.newCard && card && { newPaymentProfile: card }),
      }
      await commit(app, tx, site.id, [changes])
      await saveGivenMetadata(tx, given)
      app.reach('signup: before commit')
      return subscriptionId
    })
  } catch (error) {
    if (payment) await giveBack(app, payment).catch((failure: unknown) => void keepTrying(app, payment, failure))
    return refuseTaken(error)
  }
}

/** Values for the fields of both who are made. */
async function prepareGiven(
  tx: Transaction,
  { site, customer, isNewCustomer, subscriptionId, now, metafields, customerMetafields }: Prepared,
): Promise<GivenMetadata[]> {
  const common = { siteId: site.id, customerId: customer.id, at: now }
  const ofCustomer = { ...common, resourceType: 'customer', resourceId: customer.id } as const
  const ofSubscription = { ...common, resourceType: 'subscription', resourceId: subscriptionId } as const
  return [
    ...(await prepareMetadata(tx, ofCustomer, isNewCustomer ? customerMetafields : [])),
    ...(await prepareMetadata(tx, ofSubscription, metafields)),
  ]
}
