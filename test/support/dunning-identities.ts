/** What is true of every dunning whatever else happened: its steps follow its schedule, one after another, and the last one ends it. */
import { type Check, unless } from './identity.ts'
import type { Records } from './story-records.ts'

type Told = Records['events'][number]
type Data = { [name: string]: string | number | boolean | null | Data }
type Step = { event: Told; place: number; dunner: Data; current: Data; next: Data }

const stepsOf = ({ events }: Records): Step[] =>
  events.flatMap((event, place) => {
    if (event.key !== 'dunning_step_reached') return []
    const { dunner, current_step, next_step } = event.eventSpecificData as { [name: string]: Data }
    return [{ event, place, dunner: dunner!, current: current_step!, next: next_step! }]
  })

/** Whether the state changed from the one to the other in the events given. */
const changes = (events: readonly Told[], from: string, to: string): Told[] =>
  events.filter(
    ({ eventSpecificData: data }) => data?.previous_subscription_state === from && data?.new_subscription_state === to,
  )

export const dunningKeepsItsSchedule: Check = (records, { dunning }) => {
  const { attempts: wanted, intervalHours, finalAction } = dunning
  const dayOf = (attempts: number): number => Math.floor(((attempts - 1) * intervalHours) / 24)
  const actionOf = (attempts: number): string => (attempts < wanted ? 'retry' : finalAction)
  return stepsOf(records).flatMap(({ event, dunner, current, next }) => {
    const attempts = Number(dunner.attempts)
    const isLast = attempts === wanted
    const following = isLast ? attempts : attempts + 1
    const name = `step ${attempts} of ${event.createdAt}`
    return [
      ...unless(current.day_threshold === dayOf(attempts), `${name} is told for day ${current.day_threshold}`),
      ...unless(current.action === actionOf(attempts), `${name} leads to ${current.action}`),
      ...unless(dunner.state === (isLast ? 'finished' : 'active'), `${name} finds the dunning ${dunner.state}`),
      ...unless(next.day_threshold === dayOf(following), `after ${name}: ${next.day_threshold}`),
      ...unless(next.action === actionOf(following), `after ${name}: ${next.action}`),
      ...unless(dunner.last_attempted_at === String(event.createdAt), `${name} was tried ${dunner.last_attempted_at}`),
    ]
  })
}

/** From the change to past due on they are counted without a gap; who counts on has told of all that were counted. */
export const dunningStepsFollowEachOther: Check = (records, { dunning }) => {
  const { events, subscription } = records
  const steps = stepsOf(records)
  const { dunningAttempts, dunningSince } = subscription
  const newest = steps.at(-1)
  const counted = newest !== undefined && newest.dunner.created_at === String(dunningSince) ? newest.dunner.attempts : 1
  return [
    ...steps.flatMap(({ dunner, place, event }, index) => {
      const before = steps[index - 1]?.dunner
      const isSame = before?.created_at === dunner.created_at && before?.state === 'active'
      const expected = isSame ? Number(before?.attempts) + 1 : Math.min(dunning.attempts, 2)
      // Where the first failure is the last one, the state changes after the step.
      const until = events.slice(0, dunner.attempts === 1 ? events.length : place)
      const began = until.filter(
        ({ eventSpecificData: data, createdAt }) =>
          data?.new_subscription_state === 'past_due' && String(createdAt) <= String(event.createdAt),
      )
      return [
        ...unless(dunner.attempts === expected, `attempt ${dunner.attempts} is told where ${expected} is next`),
        ...unless(
          dunner.created_at === String(began.at(-1)?.createdAt),
          `a dunning of ${dunner.created_at} began ${began.at(-1)?.createdAt}`,
        ),
      ]
    }),
    ...unless((dunningSince !== null) === dunningAttempts > 0, `${dunningAttempts} attempts since ${dunningSince}`),
    ...unless(dunningAttempts === 0 || dunningAttempts === counted, `${dunningAttempts} attempts, ${counted} told`),
  ]
}

/** Each final step ends in its state, and there is no other way there. */
export const dunningEndsWithItsLastStep: Check = (records) => {
  const { events } = records
  const last = stepsOf(records).filter(({ dunner }) => dunner.state === 'finished')
  const states = { cancel: 'canceled', unpaid: 'unpaid' } as const
  return [
    ...last.flatMap(({ event, place, current }) => {
      const act = events.slice(place + 1).filter(({ createdAt }) => createdAt.equals(event.createdAt))
      const state = states[current.action as keyof typeof states]
      return unless(changes(act, 'past_due', state).length > 0, `the last step of ${event.createdAt} leads nowhere`)
    }),
    ...changes(events, 'past_due', 'unpaid').flatMap(({ createdAt }) =>
      unless(
        last.some(({ event }) => event.createdAt.equals(createdAt)),
        `unpaid on ${createdAt} without a last step`,
      ),
    ),
  ]
}
