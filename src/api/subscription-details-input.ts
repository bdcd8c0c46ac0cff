/** What a merchant says of a subscription beside its terms, as sign-ups, imports and updates send it. */
import type { SubscriptionDetails } from '../billing/subscription.ts'
import { isGiven, onlySent, type Tree, text } from '../wire/input.ts'

export const detailsInput = {
  reference: text('Subscription reference'),
}

type Fields = { reference?: string | null | undefined }

/** Null clears; blank, like what is absent, leaves as it is. */
export const readDetails = (tree: Tree, fields: Fields): Partial<SubscriptionDetails> => {
  const given = <Value>(name: keyof Fields, value: Value | null | undefined): Value | null | undefined =>
    value !== null || tree[name] === null ? value : undefined
  return onlySent({
    reference: given('reference', isGiven(fields.reference) ? fields.reference : null),
  })
}
