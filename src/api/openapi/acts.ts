/** What is said of the acts on a subscription, one route an act. */
import { subscriptionShape } from '../../views/subscription.ts'
import {
  activationInput,
  cancellationInput,
  holdInput,
  overrideInput,
  reactivationInput,
} from '../subscription-acts-input.ts'
import { about, bareValue, nothing, one, sent } from './description.ts'
import { asked, asQuery } from './parameters.ts'

const path = '/subscriptions/:subscription_id'
const shown = one('subscription', subscriptionShape)
const told = bareValue('delayed_cancel', {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
})
const hold = sent('hold', holdInput)
const plainReactivation = reactivationInput.omit({ require_resume: true, forgive_balance: true })
const yes = { type: 'boolean', default: false }

const reactivation = sent(null, plainReactivation.omit({ include_trial: true }), {
  resume: {
    description: 'Whether to resume the old period where it still runs, or how.',
    anyOf: [
      { type: ['boolean', 'null'] },
      { type: 'object', properties: { require_resume: yes, forgive_balance: yes } },
    ],
  },
})

export const actDescriptions = about('Acts', {
  [`PUT ${path}/reactivate`]: {
    id: 'reactivateSubscription',
    summary:
      'Brings a canceled, unpaid or trial-ended subscription back, and collects what is due. What is asked may also stand in the body, but for `include_trial`.',
    query: [
      ...asQuery(plainReactivation.omit({ calendar_billing: true, use_credits_and_prepayments: true })),
      asked('resume[require_resume]', 'Refuses where the old period cannot be resumed.', yes),
      asked('resume[forgive_balance]', 'Resumes and sets the balance to zero.', yes),
    ],
    input: reactivation,
    answers: shown,
  },
  [`PUT ${path}/activate`]: {
    id: 'activateSubscription',
    summary:
      'Begins a subscription that awaits its signup now, or ends its trial now, and collects what is due. Where the payment fails it stays as it was, or if `revert_on_failure` is false is canceled, after a trial past due.',
    input: sent(null, activationInput),
    answers: shown,
  },
  [`PUT ${path}/reset_balance`]: {
    id: 'resetBalance',
    summary: 'Sets the balance to zero by an adjustment.',
    answers: shown,
  },
  [`PUT ${path}/override`]: {
    id: 'overrideSubscription',
    summary:
      'Rewrites one of four dates or notes by hand, which changes nothing else; of an import that was not billed yet also when its period began. Any other field is a 400.',
    input: sent('subscription', overrideInput),
    answers: nothing(204),
  },
  [`PUT ${path}/retry`]: {
    id: 'retrySubscription',
    summary: 'Tries to collect the balance of a subscription that is past due or unpaid.',
    answers: shown,
  },
  [`POST ${path}/cancel_dunning`]: {
    id: 'cancelDunning',
    summary: 'Ends the dunning of a subscription; what is owed stays owed.',
    answers: shown,
  },
  [`POST ${path}/hold`]: {
    id: 'holdSubscription',
    summary: 'Puts a subscription on hold: nothing is billed until it is resumed.',
    input: hold,
    answers: shown,
  },
  [`PUT ${path}/hold`]: {
    id: 'changeHold',
    summary: 'Changes when a hold ends by itself.',
    input: hold,
    answers: shown,
  },
  [`POST ${path}/resume`]: {
    id: 'resumeSubscription',
    summary: 'Resumes a subscription that is on hold.',
    answers: shown,
  },
  [`POST ${path}/delayed_cancel`]: {
    id: 'scheduleCancellation',
    summary: 'Schedules a cancellation for the end of the period.',
    input: sent('subscription', cancellationInput),
    answers: told,
  },
  [`DELETE ${path}/delayed_cancel`]: {
    id: 'callOffCancellation',
    summary: 'Calls a scheduled cancellation off.',
    answers: told,
  },
})
