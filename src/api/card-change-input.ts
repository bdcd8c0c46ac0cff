/** What a request may change of a stored card. */
import type { PaymentProfileChange } from '../actions/update-payment-profile.ts'
import { isCardNumber } from '../billing/payment-profile.ts'
import { onlySent, readInput } from '../wire/input.ts'
import { cardInput, ownerChangeOf } from './card-input.ts'
import { Problems } from './problems.ts'

export const cardChangeInput = cardInput.omit({
  vault_token: true,
  customer_vault_token: true,
  current_vault: true,
  last_four: true,
  card_type: true,
})

/** Where the card is kept and what it is called there cannot be changed, and is ignored. Throws `InputErrors`. */
export function readCardChange(tree: unknown): PaymentProfileChange {
  const fields = readInput(cardChangeInput, tree)
  const fullNumber = fields.full_number?.replace(/[ -]/g, '') || null
  const cvv = fields.cvv?.trim() || null
  const problems = new Problems()
  if (fullNumber !== null && !isCardNumber(fullNumber)) {
    problems.add('Credit card number: must be a valid credit card number.')
  }
  if (cvv !== null && !/^\d{3,4}$/.test(cvv)) problems.add('CVV: must be three or four digits.')
  problems.tell()
  const details = {
    ...ownerChangeOf(fields),
    // An expiry that is blank is the old one: a card without one cannot be charged.
    expirationMonth: fields.expiration_month ?? undefined,
    expirationYear: fields.expiration_year ?? undefined,
  }
  return {
    details: onlySent(details),
    number: fullNumber === null ? null : { fullNumber, cvv },
  }
}
