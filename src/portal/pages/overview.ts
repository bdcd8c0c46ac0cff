/** The first page: every subscription of the customer with its state, what comes next, and what needs doing. */
import { html } from 'hono/html'
import { kindLabel } from '../../views/card-words.ts'
import type { Page } from '../../wire/page.ts'
import { listOwn, type OwnSubscription } from '../own-subscription.ts'
import { show, type Visit } from '../visit.ts'
import { cardWords, everyInterval, type Markup, stateWords, type Words } from '../words.ts'
import { noticeFrom } from './notices.ts'

export const badge = (own: OwnSubscription): Markup => {
  const [words, tone] = stateWords(own.subscription.state)
  return html`<span class="badge ${tone}">${words}</span>`
}

export const priceOf = ({ productPrice, product }: OwnSubscription, words: Words): Markup =>
  html`${words.money(productPrice)} ${everyInterval(product.interval)}`

/** When the next payment is and what it comes to, or when there is no more. */
export function nextPayment({ subscription, preview }: OwnSubscription, words: Words): Markup {
  const { state, cancelAtEndOfPeriod, delayedCancelAt, canceledAt, paymentCollectionMethod } = subscription
  if (cancelAtEndOfPeriod && delayedCancelAt !== null && canceledAt === null) {
    return html`None. Ends on ${words.day(delayedCancelAt)}`
  }
  if (['canceled', 'expired', 'trial_ended'].includes(state)) return html`None`
  if (state === 'on_hold') return html`None while the subscription is paused`
  if (preview === null) return html`Not known yet`
  if (preview.assessment.lines.length === 0) return html`None`
  const due = preview.assessment.total
  const manner = paymentCollectionMethod === 'invoice' ? 'by invoice ' : ''
  return html`${words.money(due)} ${manner}on ${words.day(preview.nextAssessmentAt)}`
}

export const owes = ({ subscription }: OwnSubscription): boolean =>
  subscription.balance > 0 && !['trialing', 'active', 'on_hold'].includes(subscription.state)

/** What is owed, with the ways to pay it. */
export const outstanding = (own: OwnSubscription, words: Words): Markup => {
  const { acts, path, subscription, card } = own
  if (!owes(own)) return html``
  return html`<div class="notice warning">
      <p><strong>${words.money(subscription.balance)} is outstanding.</strong>
      ${acts.has('pay') ? 'Your last payment did not go through.' : ''}</p>
      <div class="actions">
        ${
          acts.has('pay') && card !== null
            ? html`<form method="post" action="${path}/pay"><button type="submit">Pay ${words.money(subscription.balance)} now</button></form>`
            : ''
        }
        ${acts.has('change_card') ? html`<a class="button secondary" href="${path}/card">${card === null ? 'Add a card' : card.paymentType === 'bank_account' ? 'Pay by card' : 'Use another card'}</a>` : ''}
      </div>
    </div>`
}

const article = (own: OwnSubscription, words: Words): Markup => {
  const { product, card, path, subscription } = own
  return html`<article class="panel" aria-labelledby="subscription-${subscription.id}">
      <div class="heading"><h2 id="subscription-${subscription.id}"><a href="${path}">${product.name}</a></h2>${badge(own)}</div>
      ${outstanding(own, words)}
      <dl>
        <div><dt>Price</dt><dd>${priceOf(own, words)}</dd></div>
        <div><dt>Next payment</dt><dd>${nextPayment(own, words)}</dd></div>
        <div><dt>${kindLabel(card?.paymentType ?? null)}</dt><dd>${card === null ? 'None on file' : cardWords(card)}</dd></div>
      </dl>
      <p class="actions"><a class="button secondary" href="${path}">Manage<span class="unseen"> ${product.name}</span></a></p>
    </article>`
}

export async function overview(visit: Visit): Promise<Page> {
  const { words, customer, request } = visit
  const own = await listOwn(visit)
  return show(visit, {
    title: 'Subscriptions',
    place: '/account',
    notice: noticeFrom(request),
    content: html`<h1>Your subscriptions</h1>
    <p class="lead">Hello ${customer.firstName}. Here you can see and change what you are subscribed to.</p>
    ${own.length === 0 ? html`<p class="panel">You have no subscriptions.</p>` : own.map((one) => article(one, words))}`,
  })
}
