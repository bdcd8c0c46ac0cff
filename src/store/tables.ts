/** Every table that is written in sets, declared once; a test compares them with the migrated database. */
import type { PaymentAttempt, Period, SettledOutcome } from '../billing/changes.ts'
import type { Customer } from '../billing/customer.ts'
import type { SiteEvent } from '../billing/event.ts'
import type { Transaction } from '../billing/ledger.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { Statement } from '../billing/statement.ts'
import type { Subscription } from '../billing/subscription.ts'
import { Table } from './table.ts'

export const customers = new Table<Customer>('customers', {
  id: 'bigint',
  firstName: 'text',
  lastName: 'text',
  email: 'text',
  ccEmails: 'text',
  organization: 'text',
  reference: 'text',
  vatNumber: 'text',
  address: 'text',
  address2: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  country: 'text',
  phone: 'text',
  taxExempt: 'boolean',
  verified: 'boolean',
  taxExemptReason: 'text',
  locale: 'text',
  salesforceId: 'text',
  portalCustomerCreatedAt: 'instant',
  portalInviteLastSentAt: 'instant',
  portalInviteLastAcceptedAt: 'instant',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export const paymentProfiles = new Table<PaymentProfile>('payment_profiles', {
  id: 'bigint',
  customerId: 'bigint',
  paymentType: 'text',
  firstName: 'text',
  lastName: 'text',
  cardType: 'text',
  lastFour: 'text',
  maskedCardNumber: 'text',
  expirationMonth: 'integer',
  expirationYear: 'integer',
  currentVault: 'text',
  vaultToken: 'text',
  customerVaultToken: 'text',
  billingAddress: 'text',
  billingAddress2: 'text',
  billingCity: 'text',
  billingState: 'text',
  billingZip: 'text',
  billingCountry: 'text',
  bankName: 'text',
  bankAccountType: 'text',
  bankAccountHolderType: 'text',
  maskedBankRoutingNumber: 'text',
  maskedBankAccountNumber: 'text',
  verified: 'boolean',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export const subscriptions = new Table<Subscription>('subscriptions', {
  id: 'bigint',
  customerId: 'bigint',
  productId: 'bigint',
  productVersionNumber: 'integer',
  paymentProfileId: 'bigint',
  paymentCollectionMethod: 'text',
  state: 'text',
  balance: 'cents',
  totalRevenue: 'cents',
  periodNumber: 'integer',
  anchorAt: 'instant',
  anchorTimeZone: 'text',
  anchorPeriodNumber: 'integer',
  anchorElapsedMonths: 'integer',
  anchorElapsedDays: 'integer',
  currentPeriodStartedAt: 'instant',
  currentPeriodEndsAt: 'instant',
  nextAssessmentAt: 'instant',
  retryAt: 'instant',
  dunningAttempts: 'integer',
  dunningSince: 'instant',
  initialChargeDue: 'boolean',
  trialStartedAt: 'instant',
  trialEndedAt: 'instant',
  activatedAt: 'instant',
  expiresAt: 'instant',
  canceledAt: 'instant',
  cancellationMessage: 'text',
  cancellationMethod: 'text',
  reasonCode: 'text',
  cancelAtEndOfPeriod: 'boolean',
  delayedCancelAt: 'instant',
  signupRevenue: 'cents',
  signupPaymentId: 'bigint',
  openStatementId: 'bigint',
  openStatementTotal: 'cents',
  coveredThroughId: 'bigint',
  collectingAttemptId: 'bigint',
  snapDay: 'text',
  nextProductId: 'bigint',
  onHoldAt: 'instant',
  automaticallyResumeAt: 'instant',
  initialBillingAt: 'instant',
  invoicedThroughId: 'bigint',
  reference: 'text',
  netTerms: 'integer',
  receivesInvoiceEmails: 'boolean',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export const periods = new Table<Period>('periods', {
  subscriptionId: 'bigint',
  number: 'integer',
  begunBy: 'text',
  startedAt: 'instant',
  endsAt: 'instant',
  assessedAt: 'instant',
})

export type StatementRow = Statement & { createdAt: Temporal.Instant; updatedAt: Temporal.Instant }
export const statements = new Table<StatementRow>('statements', {
  id: 'bigint',
  subscriptionId: 'bigint',
  openedAt: 'instant',
  closedAt: 'instant',
  settledAt: 'instant',
  startingBalance: 'cents',
  endingBalance: 'cents',
  total: 'cents',
  memo: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export const transactions = new Table<Transaction>('transactions', {
  id: 'bigint',
  subscriptionId: 'bigint',
  customerId: 'bigint',
  productId: 'bigint',
  statementId: 'bigint',
  periodNumber: 'integer',
  type: 'text',
  kind: 'text',
  success: 'boolean',
  amount: 'cents',
  discountAmount: 'cents',
  taxableAmount: 'cents',
  memo: 'text',
  startingBalance: 'cents',
  endingBalance: 'cents',
  paymentAttemptId: 'bigint',
  componentId: 'bigint',
  taxId: 'bigint',
  couponId: 'bigint',
  coversAfterId: 'bigint',
  refundedPaymentId: 'bigint',
  gatewayUsed: 'text',
  gatewayTransactionId: 'text',
  cardNumber: 'text',
  cardExpiration: 'text',
  cardType: 'text',
  createdAt: 'instant',
})

/** Ids are given by the database in the order of the rows. */
export const events = new Table<Omit<SiteEvent, 'particulars'>>('events', {
  key: 'text',
  message: 'text',
  subscriptionId: 'bigint',
  customerId: 'bigint',
  createdAt: 'instant',
  eventSpecificData: 'json',
})

export type PaymentAttemptRow = PaymentAttempt & {
  requestHash: string | null
  askedBy: number
  askedAt: Temporal.Instant
  nextCheckAt: Temporal.Instant
  outcome: SettledOutcome['result'] | 'unknown' | 'voided' | null
  outcomeMessage: string | null
  gatewayTransactionId: string | null
  settledAt: Temporal.Instant | null
}
export const paymentAttempts = new Table<PaymentAttemptRow>('payment_attempts', {
  id: 'bigint',
  subscriptionId: 'bigint',
  reason: 'text',
  periodNumber: 'integer',
  idempotencyKey: 'text',
  amount: 'cents',
  gateway: 'text',
  vaultToken: 'text',
  cardNumber: 'text',
  cardExpiration: 'text',
  cardType: 'text',
  intent: 'json',
  requestHash: 'text',
  createdAt: 'instant',
  askedBy: 'bigint',
  askedAt: 'instant',
  nextCheckAt: 'instant',
  outcome: 'text',
  outcomeMessage: 'text',
  gatewayTransactionId: 'text',
  settledAt: 'instant',
})
