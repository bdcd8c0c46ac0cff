/** What customers pay with, as requests describe it: a card, or a bank account where it says so or names a bank. */
import type { NewPaymentProfile } from '../actions/store-card.ts'
import type { PaymentProfileChange } from '../actions/update-payment-profile.ts'
import { type PaymentProfile, paymentTypes } from '../billing/payment-profile.ts'
import { InputErrors, isBlank, isTree, type Tree } from '../wire/input.ts'
import { cardAndAccount, readBankAccount, readBankAccountChange } from './bank-account-input.ts'
import { readCardChange } from './card-change-input.ts'
import { readCard } from './card-input.ts'
import type { Problems } from './problems.ts'

/** Whether a bank account is described, and by its fields or by its type. Throws `InputErrors` for what is neither that nor a card. */
export function isBankAccount(tree: unknown): boolean {
  if (!isTree(tree)) return false
  const { payment_type: type } = tree
  if (!isBlank(type) && paymentTypes.every((one) => one !== type)) {
    throw new InputErrors(['Payment type: only credit cards and bank accounts can be stored.'])
  }
  const hasBank = Object.entries(tree).some(([name, value]) => name.startsWith('bank_') && !isBlank(value))
  if (hasBank && type === 'credit_card') throw new InputErrors([cardAndAccount])
  return hasBank || type === 'bank_account'
}

function refuseVerified(tree: unknown): void {
  if (isTree(tree) && !isBlank(tree.verified)) {
    throw new InputErrors(['Verified: can be said of a bank account, not of a card.'])
  }
}

/** Throws `InputErrors` with every problem at once; they never repeat what was sent. `names` fill in for the profile's own. */
export function readPaymentProfile(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  if (isBankAccount(tree)) return readBankAccount(tree, names)
  refuseVerified(tree)
  return readCard(tree, names)
}

/** What changes of the profile that there is, if there is one; it stays a card, or a bank account. Throws `InputErrors`. */
export function readProfileChange(tree: unknown, present: PaymentProfile | null): PaymentProfileChange {
  const isBank = isBankAccount(tree)
  if (present?.paymentType === 'bank_account') {
    if (isTree(tree) && tree.payment_type === 'credit_card') throw new InputErrors([staysWhatItIs])
    return readBankAccountChange(tree, present)
  }
  if (isBank) throw new InputErrors([staysWhatItIs])
  refuseVerified(tree)
  return readCardChange(tree)
}

const staysWhatItIs = 'Payment type: cannot be changed; store a new payment profile.'

const names = ['payment_profile_attributes', 'credit_card_attributes', 'bank_account_attributes'] as const
const oneName = 'Payment profile: give either payment_profile_attributes or credit_card_attributes, not both.'
const accountOnly = 'Payment profile: give bank_account_attributes without attributes of another name.'

/**
 * The attributes of a profile beside those of a subscription, under any of their names; `find` gives what was sent under one. Two of
 * them at once are a problem, since nobody could say which was meant.
 */
export function profileAttributes(find: (name: string) => object | undefined, problems: Problems): Tree | undefined {
  const [profile, card, account] = names.map((name) => find(name) as Tree | undefined)
  if (profile !== undefined && card !== undefined) problems.add(oneName)
  if (account === undefined) return profile ?? card
  if (profile !== undefined || card !== undefined) problems.add(accountOnly)
  return { ...account, payment_type: isBlank(account.payment_type) ? 'bank_account' : account.payment_type }
}
