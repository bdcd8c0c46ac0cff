/** Changing the card: the number goes from the form to the gateway and is nowhere in between. */
import { html } from 'hono/html'
import { limitRate, type Rate } from '../../actions/limit-rate.ts'
import type { NewPaymentProfile } from '../../actions/store-card.ts'
import { updateSubscription } from '../../actions/update-subscription.ts'
import { digitsIn, isCardNumber } from '../../billing/payment-profile.ts'
import { findSubscriptionRecord } from '../../store/subscription-records.ts'
import { integer, object, readInput, text } from '../../wire/input.ts'
import type { Form, Page } from '../../wire/page.ts'
import { attempt, field } from '../forms.ts'
import { findOwnFor, listOwn, type OwnSubscription } from '../own-subscription.ts'
import { redirect, show, type Visit } from '../visit.ts'
import { cardWords } from '../words.ts'
import { withNotice } from './notices.ts'

/** Whoever tries out stolen cards needs many attempts; a customer with a few of their own does not. */
export const cardAttempts: Rate = { kind: 'card attempt', most: 10, minutes: 60 }

/** A number in the wrong field would be kept, and shown again. */
const isSafe = (sent: string | null | undefined): boolean =>
  !isCardNumber(digitsIn(sent ?? '')) || (sent ?? '').trim().length < 12

const wrongField = 'The card number belongs in the field of that name.'

const cardInput = object({
  first_name: text('First name', { required: true }).refine(isSafe, wrongField),
  last_name: text('Last name', { required: true }).refine(isSafe, wrongField),
  number: text('Card number', { required: true, max: 64 }).refine(
    (sent) => isCardNumber(digitsIn(sent)),
    'Card number: please check the number.',
  ),
  month: integer('Month', { required: true, min: 1, max: 12 }),
  year: integer('Year', { required: true, min: 0, max: 9999 }),
  cvv: text('Security code', { max: 64 }).refine(
    (sent) => /^\s*(\d{3,4})?\s*$/.test(sent ?? ''),
    'Security code: must be three or four digits.',
  ),
  zip: text('Postal code').refine(isSafe, wrongField),
})

/** Throws `InputErrors`, which never repeat what was sent. */
function readCardForm(form: Form): NewPaymentProfile {
  const fields = readInput(cardInput, Object.fromEntries(form))
  const fullNumber = digitsIn(fields.number)
  const cvv = fields.cvv?.trim() || null
  const owner = { firstName: fields.first_name, lastName: fields.last_name }
  const expiry = { expirationMonth: fields.month, expirationYear: fields.year < 100 ? 2000 + fields.year : fields.year }
  return {
    ...owner,
    number: { ...owner, fullNumber, cvv, ...expiry },
    imported: null,
    billingAddress: null,
    billingAddress2: null,
    billingCity: null,
    billingState: null,
    billingZip: fields.zip?.trim() || null,
    billingCountry: null,
  }
}

const showForm = (
  visit: Visit,
  own: OwnSubscription,
  others: number,
  problems: readonly string[] = [],
): Promise<Page> => {
  const { customer, request, words } = visit
  const { card, path, product, subscription, acts } = own
  // What was typed stands again, but for the number and its code.
  const kept = (name: string, otherwise: string | null, max = 255): string => {
    const typed = request.form.get(name)
    return typed === undefined || typed.length > max || !isSafe(typed) ? (otherwise ?? '') : typed
  }
  const heading = card === null ? 'Add a card' : card.paymentType === 'bank_account' ? 'Pay by card' : 'Change card'
  const collects = subscription.state === 'past_due' && subscription.balance > 0 && acts.has('change_card')
  return show(visit, {
    title: heading,
    place: '/account',
    problems,
    content: html`<p class="back"><a href="${path}">${product.name}</a></p>
    <h1>${heading}</h1>
    <p class="lead">${card === null ? '' : `Now: ${cardWords(card)}.`}
      ${collects ? html`<strong>The new card will be charged ${words.money(subscription.balance)}, which is outstanding.</strong>` : 'Nothing is charged now.'}</p>
    <form class="panel" method="post" action="${path}/card">
      ${field({ name: 'number', label: 'Card number', autocomplete: 'cc-number', inputmode: 'numeric', required: true, max: 64 })}
      <div class="row">
        ${field({ name: 'month', label: 'Month', value: kept('month', null, 2), autocomplete: 'cc-exp-month', inputmode: 'numeric', required: true, max: 2, narrow: true })}
        ${field({ name: 'year', label: 'Year', value: kept('year', null, 4), autocomplete: 'cc-exp-year', inputmode: 'numeric', required: true, max: 4, narrow: true })}
        ${field({ name: 'cvv', label: 'Security code', autocomplete: 'cc-csc', inputmode: 'numeric', max: 4, narrow: true })}
        ${field({ name: 'zip', label: 'Postal code', value: kept('zip', customer.zip), autocomplete: 'postal-code', max: 20, narrow: true })}
      </div>
      <div class="row">
        ${field({ name: 'first_name', label: 'First name', value: kept('first_name', customer.firstName), autocomplete: 'cc-given-name', required: true })}
        ${field({ name: 'last_name', label: 'Last name', value: kept('last_name', customer.lastName), autocomplete: 'cc-family-name', required: true })}
      </div>
      ${
        others > 0
          ? html`<div class="radio"><input type="checkbox" id="all" name="all" value="1"><label for="all">Use this card for all my subscriptions</label></div>`
          : ''
      }
      <p class="hint">The number goes straight to the payment gateway and is not kept here.</p>
      <p class="actions"><button type="submit">Save card</button> <a class="button secondary" href="${path}">Back</a></p>
    </form>`,
  })
}

const othersOf = async (visit: Visit, own: OwnSubscription): Promise<OwnSubscription[]> =>
  (await listOwn(visit)).filter(
    ({ acts, subscription }) => acts.has('change_card') && subscription.id !== own.subscription.id,
  )

export async function cardPage(visit: Visit): Promise<Page> {
  const own = await findOwnFor(visit, 'change_card')
  return showForm(visit, own, (await othersOf(visit, own)).length)
}

const nothingElse = { products: { product: null, isDelayed: false }, customer: {} }

/** The card stays even where the outstanding amount could not be collected with it; that is said in so many words. */
export async function changeCard(visit: Visit): Promise<Page> {
  const { app, site, customer, request, words } = visit
  const own = await findOwnFor(visit, 'change_card')
  const others = await othersOf(visit, own)
  const again = (problems: readonly string[]) => showForm(visit, own, others.length, problems)
  return attempt(async () => {
    const profile = readCardForm(request.form)
    await limitRate(app, site.id, cardAttempts, String(customer.id))
    const { id, balance } = own.subscription
    await updateSubscription(app, site.id, id, { ...nothingElse, card: { profile } })
    const after = await findSubscriptionRecord(app.db, site.id, id)
    const profileId = after?.subscription.paymentProfileId ?? null
    if (request.form.get('all') === '1' && profileId !== null) {
      for (const other of others) {
        await updateSubscription(app, site.id, other.subscription.id, { ...nothingElse, card: { profileId } })
      }
    }
    if (own.subscription.state !== 'past_due' || balance <= 0) return redirect(withNotice(own.path, 'card-changed'))
    if (after?.subscription.state !== 'past_due') return redirect(withNotice(own.path, 'card-paid'))
    const amount = words.money(balance)
    return again([`The card was saved, but the payment of ${amount} was declined. Please try another card.`])
  }, again)
}
