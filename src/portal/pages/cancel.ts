/** Cancelling, at once or at the end of the period; and changing one's mind. */
import { html } from 'hono/html'
import { cancelSubscription } from '../../actions/cancel-subscription.ts'
import { callOffCancellation, scheduleCancellation } from '../../actions/schedule-cancellation.ts'
import { Refusal } from '../../billing/refusal.ts'
import type { Page } from '../../wire/page.ts'
import { attempt, radios } from '../forms.ts'
import { findOwn, findOwnFor, type OwnSubscription } from '../own-subscription.ts'
import { redirect, show, type Visit } from '../visit.ts'
import { withNotice } from './notices.ts'
import { showOwn } from './subscription.ts'

const reasonMax = 1000

async function findCancelable(visit: Visit): Promise<OwnSubscription> {
  const own = await findOwn(visit)
  if (!own.acts.has('cancel_at_once') && !own.acts.has('cancel_at_period_end')) throw new Refusal('conflict')
  return own
}

const showForm = (visit: Visit, own: OwnSubscription, problems: readonly string[] = []): Promise<Page> => {
  const { words, request } = visit
  const { acts, path, product, subscription } = own
  const later = acts.has('cancel_at_period_end')
  const options = [
    ...(later
      ? [
          {
            value: 'period_end',
            label: html`On ${words.day(subscription.currentPeriodEndsAt)}, when the period is over`,
            hint: 'You keep what you have paid for. You can change your mind until then.',
          },
        ]
      : []),
    ...(acts.has('cancel_at_once')
      ? [{ value: 'now', label: 'At once', hint: 'The subscription ends now. Nothing is paid back.' }]
      : []),
  ]
  return show(visit, {
    title: 'Cancel subscription',
    place: '/account',
    problems,
    content: html`<p class="back"><a href="${path}">${product.name}</a></p>
    <h1>Cancel ${product.name}</h1>
    <form class="panel" method="post" action="${path}/cancel">
      ${radios({ name: 'when', legend: 'When should it end?', value: request.form.get('when') ?? options[0]?.value, options })}
      <div class="field">
        <label for="reason">Why are you leaving? <span class="optional">(optional)</span></label>
        <textarea id="reason" name="reason" rows="3" maxlength="${reasonMax}">${request.form.get('reason') ?? ''}</textarea>
      </div>
      <p class="actions"><button class="danger" type="submit">Cancel subscription</button> <a class="button secondary" href="${path}">Keep it</a></p>
    </form>`,
  })
}

export const cancelPage = async (visit: Visit): Promise<Page> => showForm(visit, await findCancelable(visit))

export async function cancel(visit: Visit): Promise<Page> {
  const { app, site, request } = visit
  const own = await findCancelable(visit)
  const again = (problems: readonly string[]) => showForm(visit, own, problems)
  const message = request.form.get('reason')?.trim().slice(0, reasonMax) || null
  const { id } = own.subscription
  return attempt(async () => {
    const when = request.form.get('when')
    if (when === 'now' && own.acts.has('cancel_at_once')) {
      await cancelSubscription(app, site.id, id, { message, reasonCode: null, method: 'billing_portal' })
      return redirect(withNotice(own.path, 'canceled'))
    }
    if (when !== 'period_end' || !own.acts.has('cancel_at_period_end')) {
      return again(['Please choose when it should end.'])
    }
    await scheduleCancellation(app, site.id, id, { message })
    return redirect(withNotice(own.path, 'cancel-scheduled'))
  }, again)
}

export async function keep(visit: Visit): Promise<Page> {
  const { app, site } = visit
  const own = await findOwnFor(visit, 'keep')
  return attempt(
    async () => {
      await callOffCancellation(app, site.id, own.subscription.id)
      return redirect(withNotice(own.path, 'kept'))
    },
    (problems) => showOwn(visit, own, problems),
  )
}
