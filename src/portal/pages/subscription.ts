/** One subscription: what it costs, what the next payment is made of, the card, and everything that may be done. */
import { html } from 'hono/html'
import type { RenewalPreview } from '../../billing/preview.ts'
import { kindLabel } from '../../views/card-words.ts'
import type { Page } from '../../wire/page.ts'
import { findOwn, type OwnSubscription } from '../own-subscription.ts'
import { show, type Visit } from '../visit.ts'
import { cardWords, type Markup, type Words } from '../words.ts'
import { noticeFrom } from './notices.ts'
import { badge, nextPayment, outstanding, owes, priceOf } from './overview.ts'

const facts = (own: OwnSubscription, words: Words): Markup => {
  const { subscription } = own
  const { trialEndedAt, currentPeriodStartedAt, currentPeriodEndsAt, canceledAt, state, balance } = subscription
  const hasNoPeriod =
    subscription.periodNumber === 0 || canceledAt !== null || ['expired', 'trial_ended'].includes(state)
  return html`<dl>
        <div><dt>Price</dt><dd>${priceOf(own, words)}</dd></div>
        <div><dt>Member since</dt><dd>${words.day(subscription.createdAt)}</dd></div>
        ${state === 'trialing' && trialEndedAt !== null ? html`<div><dt>Trial ends</dt><dd>${words.day(trialEndedAt)}</dd></div>` : ''}
        ${hasNoPeriod ? '' : html`<div><dt>Current period</dt><dd>${words.day(currentPeriodStartedAt)} to ${words.day(currentPeriodEndsAt)}</dd></div>`}
        ${canceledAt === null ? '' : html`<div><dt>Canceled on</dt><dd>${words.day(canceledAt)}</dd></div>`}
        ${previewOf(own) ? '' : html`<div><dt>Next payment</dt><dd>${nextPayment(own, words)}</dd></div>`}
        ${balance < 0 ? html`<div><dt>Credit</dt><dd>${words.money(balance)}</dd></div>` : ''}
      </dl>`
}

/** What the table of the next payment shows; undefined where there is none, or what is owed comes first. */
const previewOf = (own: OwnSubscription): RenewalPreview | undefined => {
  const { preview, subscription } = own
  if (owes(own) || subscription.cancelAtEndOfPeriod === true || preview === null) return undefined
  return preview.assessment.lines.length > 0 ? preview : undefined
}

const totalRow = (label: string, amount: string, isGrand = false): Markup =>
  html`<tr${isGrand ? html` class="grand"` : ''}><th scope="row">${label}</th><td class="amount">${amount}</td></tr>`

/** The very lines that the renewal will write. */
const previewTable = (own: OwnSubscription, words: Words): Markup => {
  const preview = previewOf(own)
  if (preview === undefined) return html``
  const { assessment, existingBalance, totalAmountDue } = preview
  return html`<section class="panel" aria-labelledby="next-payment">
      <h2 id="next-payment">Next payment, on ${words.day(preview.nextAssessmentAt)}</h2>
      <table>
        <thead><tr><th scope="col">For</th><th scope="col" class="amount">Amount</th></tr></thead>
        <tbody>${assessment.lines.map(
          (line) => html`
          <tr><td>${line.memo}</td><td class="amount">${words.money(line.amount)}</td></tr>`,
        )}</tbody>
        <tfoot>
          ${existingBalance === 0 ? '' : totalRow(existingBalance < 0 ? 'Your credit' : 'Outstanding so far', words.money(existingBalance))}
          ${totalRow('Total', words.money(totalAmountDue), true)}
        </tfoot>
      </table>
    </section>`
}

/** A card can be given here, a bank account with the merchant. */
const cardLink = (card: OwnSubscription['card']): string =>
  card === null ? 'Add a card' : card.paymentType === 'bank_account' ? 'Pay by card' : 'Change card'

const cardPanel = ({ acts, card, path }: OwnSubscription): Markup => html`<section class="panel" aria-labelledby="card">
      <h2 id="card">${kindLabel(card?.paymentType ?? null)}</h2>
      <p>${card === null ? 'No card is on file.' : cardWords(card)}</p>
      ${acts.has('change_card') ? html`<p class="actions"><a class="button secondary" href="${path}/card">${cardLink(card)}</a></p>` : ''}
    </section>`

const leaving = ({ acts, path, subscription }: OwnSubscription, words: Words): Markup => {
  const { cancelAtEndOfPeriod, delayedCancelAt, canceledAt } = subscription
  if (!cancelAtEndOfPeriod || delayedCancelAt === null || canceledAt !== null) return html``
  return html`<div class="notice warning">
      <p><strong>This subscription ends on ${words.day(delayedCancelAt)}.</strong> Until then nothing changes, and nothing more is charged.</p>
      ${acts.has('keep') ? html`<form class="actions" method="post" action="${path}/keep"><button type="submit">Keep my subscription</button></form>` : ''}
    </div>`
}

const changes = (own: OwnSubscription): Markup => {
  const { acts, path, subscription } = own
  const mayCancel = acts.has('cancel_at_once') || acts.has('cancel_at_period_end')
  if (!mayCancel && !acts.has('change_product') && !acts.has('reactivate')) return html``
  return html`<section class="panel" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <p class="actions">
        ${acts.has('change_product') ? html`<a class="button secondary" href="${path}/product">${subscription.nextProductId === null ? 'Change product' : 'See the change to come'}</a>` : ''}
        ${acts.has('reactivate') ? html`<a class="button" href="${path}/reactivate">Reactivate</a>` : ''}
        ${mayCancel ? html`<a class="button danger" href="${path}/cancel">Cancel subscription</a>` : ''}
      </p>
    </section>`
}

/** Also after an act that was refused: then with the reason, and 422. */
export const showOwn = (visit: Visit, own: OwnSubscription, problems: readonly string[] = []): Promise<Page> => {
  const { words, request } = visit
  const { product, subscription } = own
  return show(visit, {
    title: product.name,
    place: '/account',
    notice: noticeFrom(request),
    problems,
    content: html`<p class="back"><a href="/account">All subscriptions</a></p>
    <div class="heading"><h1>${product.name}</h1>${badge(own)}</div>
    ${outstanding(own, words)}
    ${leaving(own, words)}
    ${
      subscription.collectingAttemptId === null
        ? ''
        : html`<p class="notice warning">A payment is being verified. This page will show what became of it.</p>`
    }
    <section class="panel" aria-labelledby="about"><h2 id="about">Subscription</h2>
      ${facts(own, words)}
    </section>
    ${previewTable(own, words)}
    ${cardPanel(own)}
    ${changes(own)}`,
  })
}

export const subscriptionPage = async (visit: Visit): Promise<Page> => showOwn(visit, await findOwn(visit))
