/** What requests say of the acts on a subscription: reactivation, override, hold, cancellation. */
import type { ReactivateSubscription } from '../actions/reactivate-subscription.ts'
import type { CancellationNotes } from '../billing/cancellation.ts'
import { type Override, unpermitted } from '../billing/override.ts'
import type { Site } from '../billing/site.ts'
import { boolean, isTree, longTextMax, object, onlySent, readInput, type Tree, text, wrapped } from '../wire/input.ts'
import type { Query } from '../wire/request.ts'
import { dateTextMax } from '../wire/timestamp.ts'
import { readDate } from './date-input.ts'
import { Problems } from './problems.ts'
import { refusedFields } from './refused-fields.ts'

export const cancellationInput = object({
  cancellation_message: text('Cancellation message', { max: longTextMax }),
  reason_code: text('Reason code', { max: 255 }),
})

/** What was not sent stays as it is. Where there is no wrapper the fields may stand by themselves. */
export function readCancellationNotes(body: unknown): CancellationNotes {
  const isBare = isTree(body) && !Object.hasOwn(body, 'subscription')
  const fields = readInput(cancellationInput, isBare ? body : wrapped(body, 'subscription'))
  const { cancellation_message: message, reason_code: reasonCode } = fields
  return { ...(message !== undefined && { message }), ...(reasonCode !== undefined && { reasonCode }) }
}

export const reactivationInput = object({
  include_trial: boolean('Include trial'),
  preserve_balance: boolean('Preserve balance'),
  coupon_code: text('Coupon code'),
  resume: boolean('Resume'),
  require_resume: boolean('Require resume'),
  forgive_balance: boolean('Forgive balance'),
  ...refusedFields.reactivation,
})

/** From the query, where it belongs; the same names but `include_trial` are read in a body too, and the query wins. */
export function readReactivation(query: Query, body: unknown): ReactivateSubscription {
  const said: Record<string, unknown> = { ...flatten(body), include_trial: undefined }
  for (const [name, value] of Object.entries(query)) said[name] = typeof value === 'string' ? value : value.at(-1)
  const resume = isTree(said.resume) ? said.resume : {}
  const fields = readInput(reactivationInput, {
    ...said,
    resume: isTree(said.resume) ? true : said.resume,
    require_resume: said['resume[require_resume]'] ?? resume.require_resume,
    forgive_balance: said['resume[forgive_balance]'] ?? resume.forgive_balance,
    calendar_billing: said.calendar_billing ?? said['calendar_billing[reactivation_charge]'],
  })
  const requireResume = fields.require_resume ?? false
  const forgiveBalance = fields.forgive_balance ?? false
  return {
    includeTrial: fields.include_trial ?? false,
    preserveBalance: fields.preserve_balance ?? false,
    couponCode: fields.coupon_code?.trim() || null,
    resume: (fields.resume ?? false) || requireResume || forgiveBalance,
    requireResume,
    forgiveBalance,
  }
}

/** A document has a root, JSON may have none. */
function flatten(body: unknown, shape: object = reactivationInput.shape): Tree {
  if (!isTree(body)) return {}
  const [[name, only] = ['', undefined], ...others] = Object.entries(body)
  return others.length === 0 && !Object.hasOwn(shape, name) && isTree(only) ? only : body
}

export const activationInput = object({ revert_on_failure: boolean('Revert on failure') })

export const readActivation = (body: unknown): { revertsOnFailure: boolean } => ({
  revertsOnFailure: readInput(activationInput, flatten(body, activationInput.shape)).revert_on_failure ?? true,
})

const overridable = [
  'activated_at',
  'canceled_at',
  'cancellation_message',
  'expires_at',
  'current_period_starts_at',
] as const

export const overrideInput = object({
  activated_at: text('Activated at', { max: dateTextMax }),
  canceled_at: text('Canceled at', { max: dateTextMax }),
  cancellation_message: text('Cancellation message', { max: longTextMax }),
  expires_at: text('Expires at', { max: dateTextMax }),
  current_period_starts_at: text('Current period starts at', { max: dateTextMax }),
})

/** Null or blank clears, but for the period's beginning, which there always is. Refuses every other field, and each that stands outside its element, in the words that programs look for. */
export function readOverride(body: unknown, site: Site): Override {
  const tree = wrapped(body, 'subscription')
  const unknown = Object.keys(tree).filter((name) => !(overridable as readonly string[]).includes(name))
  const others = [...unknown, ...outside(body, 'subscription')]
  if (others.length > 0) {
    throw unpermitted(others)
  }
  const problems = new Problems()
  const fields = problems.gather(() => readInput(overrideInput, tree)) ?? {}
  const { current_period_starts_at: starts } = fields
  const override = {
    currentPeriodStartedAt:
      problems.gather(() => readDate(starts, 'Current period starts at', site.timeZone)) ?? undefined,
    activatedAt: problems.gather(() => readDate(fields.activated_at, 'Activated at', site.timeZone)),
    canceledAt: problems.gather(() => readDate(fields.canceled_at, 'Canceled at', site.timeZone)),
    cancellationMessage: fields.cancellation_message === '' ? null : fields.cancellation_message,
    expiresAt: problems.gather(() => readDate(fields.expires_at, 'Expires at', site.timeZone)),
  }
  problems.tell()
  return onlySent(override)
}

/** What a body says beside its element; of another element the names inside it. */
const outside = (body: unknown, element: string): string[] =>
  Object.entries(isTree(body) ? body : {})
    .filter(([name]) => name !== element)
    .flatMap(([name, value]) => (isTree(value) && Object.keys(value).length > 0 ? Object.keys(value) : [name]))

export const holdInput = object({ automatically_resume_at: text('Automatic resume date', { max: dateTextMax }) })

/** Null or blank: nobody but a request ends the hold. Undefined: nothing was said. */
export function readHold(body: unknown, site: Site): Temporal.Instant | null | undefined {
  const { automatically_resume_at: sent } = readInput(holdInput, wrapped(body, 'hold'))
  return readDate(sent, 'Automatic resume date', site.timeZone)
}
