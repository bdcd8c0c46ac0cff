/** Letters call amounts, cards and ends by the words that the portal uses for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LetterFacts } from '../store/letter-facts.ts'
import { type Sender, writeLetter } from './letter.ts'
import { renderLetterHtml } from './letter-page.ts'

const at = Temporal.Instant.from('2026-12-21T02:41:22Z')
const sender: Sender = {
  siteName: 'Observatory',
  currency: 'EUR',
  timeZone: 'UTC',
  supportEmail: null,
  accentColor: '#1f4fbf',
}

const factsOf = (kind: 'receipt' | 'payment_failed', state: string, amountInCents: number): LetterFacts => ({
  letter: {
    siteId: 1,
    id: 1,
    kind,
    customerId: 2,
    subscriptionId: 3,
    transactionId: 4,
    details: {},
    createdAt: at,
    sentAt: null,
    recipient: null,
    subject: null,
    attempts: 0,
    lastError: null,
    nextAttemptAt: at,
  },
  customer: { id: 2, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', ccEmails: null },
  subscription: {
    id: 3,
    state,
    productName: 'Stargazer',
    balanceInCents: amountInCents,
    currentPeriodStartedAt: at,
    currentPeriodEndsAt: at.add({ hours: 24 }),
    receivesInvoiceEmails: null,
  },
  card: null,
  payment: { amountInCents, cardNumber: 'XXXX-XXXX-XXXX-1111', cardType: 'visa', createdAt: at, statementId: null },
})

test('amounts have their thousands apart, and cards are called by brand and last digits', () => {
  const letter = writeLetter(factsOf('receipt', 'active', 1_234_567), sender, null)
  assert.deepEqual(Object.fromEntries(letter!.facts), {
    Subscription: 'Stargazer',
    Date: 'December 21, 2026',
    Amount: '€12,345.67',
    Card: 'Visa ending in 1111',
    'Next payment': 'December 22, 2026',
  })
  const paid = factsOf('receipt', 'active', 5000)
  const account = { ...paid, payment: { ...paid.payment!, cardNumber: 'XXXX3344', cardType: 'bank_account' } }
  assert.equal(
    Object.fromEntries(writeLetter(account, sender, null)!.facts)['Bank account'],
    'Bank account ending in 3344',
  )
  const refused = { ...factsOf('payment_failed', 'past_due', 5000), payment: account.payment }
  assert.match(writeLetter(refused, sender, null)!.paragraphs[0]!, /tried to charge your bank account for Stargazer/)
  const yen = (amount: number) =>
    writeLetter(factsOf('receipt', 'active', amount), { ...sender, currency: 'JPY' }, null)?.paragraphs[0]
  assert.equal(yen(5000), 'Hello Ada, we received your payment of ¥50.')
  assert.equal(yen(5050), 'Hello Ada, we received your payment of ¥50.50.')
})

test('the letter of the payment with which a subscription ended does not say that it may end', () => {
  const owing = writeLetter(factsOf('payment_failed', 'past_due', 5000), sender, 'https://x.example/')!
  assert.match(owing.paragraphs[1]!, /Your subscription may end if/)
  assert.equal(owing.action?.label, 'Update my card')
  const ended = writeLetter(factsOf('payment_failed', 'canceled', 5000), sender, 'https://x.example/')!
  assert.equal(ended.paragraphs[1], 'Your subscription has ended.')
  assert.equal(ended.preheader, 'Your subscription at Observatory has ended.')
  assert.equal(ended.action?.label, 'See my account')
})

test('a long word breaks before it makes a letter wider than a phone', () => {
  const html = renderLetterHtml(writeLetter(factsOf('receipt', 'active', 5000), sender, null)!, sender)
  assert.match(html, /max-width:560px;overflow-wrap:anywhere/)
})
