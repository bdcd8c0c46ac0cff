/** The words with which a list of subscriptions is narrowed and ordered. */

/** What can be asked for as a state. Some are none: what is about to happen, a card whose month is over, and one that nobody is in. */
export const listedStates = [
  'active',
  'awaiting_signup',
  'canceled',
  'expired',
  'expired_cards',
  'on_hold',
  'past_due',
  'pending_cancellation',
  'pending_renewal',
  'soft_failure',
  'suspended',
  'trial_ended',
  'trialing',
  'unpaid',
] as const
export type ListedState = (typeof listedStates)[number]

/** The dates that a window can be about. */
export const subscriptionDates = [
  'current_period_ends_at',
  'current_period_starts_at',
  'created_at',
  'activated_at',
  'canceled_at',
  'expires_at',
  'trial_started_at',
  'trial_ended_at',
  'updated_at',
] as const
export type SubscriptionDate = (typeof subscriptionDates)[number]

/** `signup_date` is another name of `created_at`. */
export const subscriptionSorts = [
  'signup_date',
  'period_start',
  'period_end',
  'next_assessment',
  'updated_at',
  'created_at',
] as const
export type SubscriptionSort = (typeof subscriptionSorts)[number]

/** How those are paid that are listed; the last is another name of the second. */
export const listedMethods = ['automatic', 'invoice', 'remittance'] as const
