/** What a merchant says of a subscription beside its terms, as sign-ups, imports and updates send it. */
import type { SubscriptionDetails } from '../billing/subscription.ts'
import { boolean, integer, isGiven, onlySent, type Tree, text } from '../wire/input.ts'

export const detailsInput = {
  reference: text('Subscription reference'),
  net_terms: integer('Net terms', { min: 0, max: 180 }),
  receives_invoice_emails: boolean('Receives invoice emails'),
}

type Fields = {
  reference?: string | null | undefined
  net_terms?: number | null | undefined
  receives_invoice_emails?: boolean | null | undefined
}

/** Null clears; blank, like what is absent, leaves as it is. */
export const readDetails = (tree: Tree, fields: Fields): Partial<SubscriptionDetails> => {
  const given = <Value>(name: keyof Fields, value: Value | null | undefined): Value | null | undefined =>
    value !== null || tree[name] === null ? value : undefined
  return onlySent({
    reference: given('reference', isGiven(fields.reference) ? fields.reference : null),
    netTerms: given('net_terms', fields.net_terms),
    receivesInvoiceEmails: given('receives_invoice_emails', fields.receives_invoice_emails),
  })
}
