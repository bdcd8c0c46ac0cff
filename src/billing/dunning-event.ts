/** The site event of a dunning that goes on or ends: how it stands, what comes of this attempt and what of the next. */
import type { DunningStep } from './dunning.ts'
import { type Builder, type EventData, event, whose } from './event.ts'
import type { Cents } from './money.ts'

/** Whether the customer is written to of this failure, and will be of the next one as things stand. */
type Letters = { sendsLetter: boolean; sendsNextLetter: boolean }

/** `atRisk` is what is owed. */
export const dunningStepReached: Builder<[step: DunningStep, atRisk: Cents, letters: Letters]> = (
  subject,
  { attempts, since, lastAttemptedAt, current, next },
  atRisk,
  { sendsLetter, sendsNextLetter },
) =>
  event(
    subject,
    'dunning_step_reached',
    `Dunning step reached on ${whose(subject)}: day ${current.day}, ${current.action}`,
    {
      dunner: {
        subscription_id: subject.subscriptionId,
        state: next === null ? 'finished' : 'active',
        revenue_at_risk_in_cents: atRisk,
        created_at: since.toString(),
        attempts,
        last_attempted_at: lastAttemptedAt.toString(),
      },
      current_step: stepData(current, sendsLetter),
      // Clients read a step there in any case; after the last one there is no other.
      next_step: next === null ? stepData(current, sendsLetter) : stepData(next, sendsNextLetter),
    },
  )

/** A letter is worded when it is sent, so that its text is not known yet. Nothing is sent in copy, nor to telephones. */
const stepData = ({ day, action }: DunningStep['current'], sendsLetter: boolean): EventData => ({
  day_threshold: day,
  action,
  email_body: null,
  email_subject: null,
  send_email: sendsLetter,
  send_bcc_email: false,
  send_sms: false,
  sms_body: null,
})
