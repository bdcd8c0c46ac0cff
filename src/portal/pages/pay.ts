/** Paying what is outstanding, and coming back after the end: acts that ask the card for money at once. */
import { html } from 'hono/html'
import { limitRate } from '../../actions/limit-rate.ts'
import { previewReactivation } from '../../actions/preview-reactivation.ts'
import { reactivateSubscription } from '../../actions/reactivate-subscription.ts'
import { retrySubscription } from '../../actions/retry-subscription.ts'
import { kindName } from '../../views/card-words.ts'
import type { Page } from '../../wire/page.ts'
import { attempt } from '../forms.ts'
import { findOwn, findOwnFor, type OwnSubscription } from '../own-subscription.ts'
import { redirect, show, type Visit } from '../visit.ts'
import { cardWords } from '../words.ts'
import { cardAttempts } from './card.ts'
import { withNotice } from './notices.ts'
import { showOwn } from './subscription.ts'

export async function pay(visit: Visit): Promise<Page> {
  const { app, site, customer } = visit
  const own = await findOwnFor(visit, 'pay')
  return attempt(
    async () => {
      await limitRate(app, site.id, cardAttempts, String(customer.id))
      await retrySubscription(app, site.id, own.subscription.id)
      return redirect(withNotice(own.path, 'paid'))
    },
    async (problems) => showOwn(visit, await findOwn(visit), problems.map(declined)),
  )
}

const declined = (words: string): string => `The payment did not go through: ${words}`

/** A period that still lasts is taken up where it was left; what was owed is owed still. */
const wish = {
  includeTrial: false,
  preserveBalance: true,
  resume: true,
  requireResume: false,
  forgiveBalance: false,
}

const showForm = async (visit: Visit, own: OwnSubscription, problems: readonly string[] = []): Promise<Page> => {
  const { app, site, words } = visit
  const { path, product, card, subscription } = own
  const due = await previewReactivation(app, site.id, subscription.id, wish).catch(() => undefined)
  const needsCard = due === undefined
  return show(visit, {
    title: 'Reactivate',
    place: '/account',
    problems,
    content: html`<p class="back"><a href="${path}">${product.name}</a></p>
    <h1>Reactivate ${product.name}</h1>
    <div class="panel">
      ${
        needsCard
          ? html`<p>There is no card on file that could be charged.</p>
      <p class="actions"><a class="button" href="${path}/card">Add a card</a></p>`
          : html`<p>${
              due === 0
                ? 'Nothing is charged now.'
                : html`<strong>${words.money(due)}</strong> is charged now${card === null ? '' : `, to your ${kindName(card.paymentType)}: ${cardWords(card)}`}.`
            }</p>
      <form class="actions" method="post" action="${path}/reactivate"><button type="submit">${due === 0 ? 'Reactivate' : `Reactivate and pay ${words.money(due)}`}</button>
        <a class="button secondary" href="${path}">Back</a></form>`
      }
    </div>`,
  })
}

export const reactivatePage = async (visit: Visit): Promise<Page> =>
  showForm(visit, await findOwnFor(visit, 'reactivate'))

export async function reactivate(visit: Visit): Promise<Page> {
  const { app, site, customer } = visit
  const own = await findOwnFor(visit, 'reactivate')
  return attempt(
    async () => {
      await limitRate(app, site.id, cardAttempts, String(customer.id))
      await reactivateSubscription(app, site.id, own.subscription.id, { ...wish, couponCode: null })
      return redirect(withNotice(own.path, 'reactivated'))
    },
    (problems) => showForm(visit, own, problems),
  )
}
