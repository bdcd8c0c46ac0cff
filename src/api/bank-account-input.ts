/** A bank account as requests describe it: its numbers, to be stored, or the token of one that a vault keeps already. */
import type { NewPaymentProfile } from '../actions/store-card.ts'
import type { PaymentProfileChange } from '../actions/update-payment-profile.ts'
import {
  bankAccountHolderTypes,
  bankAccountTypes,
  bankNumberIn,
  isAccountNumber,
  isBankCode,
  isIban,
  maskBankNumber,
} from '../billing/bank-account.ts'
import { type PaymentProfile, paymentTypes } from '../billing/payment-profile.ts'
import {
  boolean,
  type Command,
  InputErrors,
  isBlank,
  isTree,
  object,
  oneOf,
  onlySent,
  readInput,
  text,
} from '../wire/input.ts'
import { cardInput, given, ownerChangeOf, ownerOf } from './card-input.ts'
import { Problems } from './problems.ts'
import { refusedFields } from './refused-fields.ts'

/** Says whether the text is one of those numbers, without its blanks and dashes; an empty one passes. */
const isOne = (is: (number: string) => boolean) => (sent: string | null | undefined) =>
  given(sent) === null || is(bankNumberIn(sent ?? ''))

const number = (label: string, is: (number: string) => boolean, complaint: string) =>
  text(label, { max: 64 }).refine(isOne(is), `${label}: ${complaint}`)

const { shape } = cardInput

export const bankAccountInput = object({
  first_name: shape.first_name,
  last_name: shape.last_name,
  bank_name: text('Bank name'),
  bank_routing_number: number('Bank routing number', isBankCode, 'must be 3 to 12 digits or letters.'),
  bank_account_number: number('Bank account number', isAccountNumber, 'must be 5 to 20 digits.'),
  bank_account_type: oneOf('Bank account type', bankAccountTypes),
  bank_account_holder_type: oneOf('Bank account holder type', bankAccountHolderTypes),
  bank_branch_code: number('Bank branch code', isBankCode, 'must be 3 to 12 digits or letters.'),
  bank_iban: number('Bank IBAN', isIban, 'must be a valid IBAN.'),
  payment_type: oneOf('Payment type', paymentTypes),
  verified: boolean('Verified'),
  billing_address: shape.billing_address,
  billing_address_2: shape.billing_address_2,
  billing_city: shape.billing_city,
  billing_state: shape.billing_state,
  billing_zip: shape.billing_zip,
  billing_country: shape.billing_country,
  vault_token: shape.vault_token,
  customer_vault_token: shape.customer_vault_token,
  current_vault: shape.current_vault,
  last_four: shape.last_four,
  ...refusedFields.card,
})
type Fields = Command<typeof bankAccountInput>

export const bankAccountChangeInput = bankAccountInput.omit({
  vault_token: true,
  customer_vault_token: true,
  current_vault: true,
  last_four: true,
})

const toldByDeposits = 'Verified: is told by the deposits that the customer found, at /bank_accounts/<id>/verification.'

const ofCards = ['full_number', 'cvv', 'expiration_month', 'expiration_year', 'card_type'] as const

export const cardAndAccount = 'Payment profile: give the details of either a card or a bank account, not of both.'

/** Throws `InputErrors` with every problem at once; they never repeat what was sent. `names` fill in for the account's own. */
export function readBankAccount(tree: unknown, names: { firstName: string; lastName: string }): NewPaymentProfile {
  const problems = new Problems()
  refuseCardDetails(tree, problems)
  const fields: Partial<Fields> = problems.gather(() => readInput(bankAccountInput, tree)) ?? {}
  const isImported = given(fields.vault_token) !== null
  if (isImported) refuseTogether(fields, problems)
  else if (problems.messages.length === 0) requireNumbers(fields, problems)
  problems.tell()
  const owner = ownerOf(fields, names)
  return { ...owner, number: null, imported: isImported ? importedOf(fields) : null, bank: bankOf(fields, owner) }
}

function refuseCardDetails(tree: unknown, problems: Problems): void {
  if (isTree(tree) && ofCards.some((name) => !isBlank(tree[name]))) problems.add(cardAndAccount)
}

/** A token stands for an account that is known already: its numbers beside it would go nowhere. */
function refuseTogether({ bank_iban: iban, bank_account_number: account }: Partial<Fields>, problems: Problems): void {
  if (given(iban) !== null || given(account) !== null) {
    problems.add('Vault token: cannot be given together with the number of the bank account.')
  }
}

/** An IBAN says all that there is to know; a number needs its bank beside it. */
function requireNumbers(fields: Partial<Fields>, problems: Problems): void {
  const need = (label: string, ...sent: (string | null | undefined)[]) => {
    if (sent.every((value) => given(value) === null)) problems.add(`${label}: cannot be blank.`)
  }
  if (fields.verified !== undefined && fields.verified !== null) {
    problems.add('Verified: can be said of an account with a vault token; of others the gateway says it.')
  }
  if (given(fields.bank_iban) !== null) {
    if (given(fields.bank_account_number) === null) return
    problems.add('Bank IBAN: cannot be given together with the account number.')
    return
  }
  need('Bank name', fields.bank_name)
  need('Bank routing number', fields.bank_routing_number, fields.bank_branch_code)
  need('Bank account number', fields.bank_account_number)
}

const numberIn = (sent: string | null | undefined): string | null => given(sent) && bankNumberIn(sent ?? '')

function bankOf(fields: Partial<Fields>, { firstName, lastName }: { firstName: string; lastName: string }) {
  const accountNumber = numberIn(fields.bank_account_number)
  const iban = numberIn(fields.bank_iban)
  const routingNumber = numberIn(fields.bank_routing_number)
  const branchCode = numberIn(fields.bank_branch_code)
  const bankName = given(fields.bank_name)
  const accountType = fields.bank_account_type ?? 'checking'
  const holderType = fields.bank_account_holder_type ?? 'personal'
  const bankCode = routingNumber ?? branchCode
  const isImported = accountNumber === null && iban === null
  return {
    details: {
      ...{ bankName, bankAccountType: accountType, bankAccountHolderType: holderType },
      maskedBankAccountNumber: maskBankNumber(accountNumber ?? iban ?? given(fields.last_four)),
      maskedBankRoutingNumber: bankCode && maskBankNumber(bankCode),
      verified: isImported ? (fields.verified ?? true) : false,
    },
    account: isImported
      ? null
      : { accountNumber, iban, routingNumber, branchCode, bankName, accountType, holderType, firstName, lastName },
  }
}

const importedOf = (fields: Partial<Fields>): NewPaymentProfile['imported'] => ({
  vaultToken: given(fields.vault_token) ?? '',
  currentVault: fields.current_vault ?? 'bogus',
  customerVaultToken: given(fields.customer_vault_token),
  lastFour: given(fields.last_four),
  cardType: null,
  expirationMonth: null,
  expirationYear: null,
})

/**
 * What changes of a stored bank account. A number or an IBAN is a new one under the same id, and needs all that a new one needs; what it
 * says nothing of stays. Where the account is kept, and what it is called there, cannot be changed and is ignored. Throws `InputErrors`.
 */
export function readBankAccountChange(tree: unknown, present: PaymentProfile): PaymentProfileChange {
  const problems = new Problems()
  refuseCardDetails(tree, problems)
  problems.tell()
  const { verified, ...fields } = readInput(bankAccountChangeInput, tree)
  if (verified !== undefined && verified !== null && verified !== present.verified)
    throw new InputErrors([toldByDeposits])
  const isNew = [fields.bank_iban, fields.bank_account_number, fields.bank_routing_number, fields.bank_branch_code]
  const details = onlySent({
    ...ownerChangeOf(fields),
    bankName: fields.bank_name,
    // A kind that is blank is the old one.
    bankAccountType: fields.bank_account_type ?? undefined,
    bankAccountHolderType: fields.bank_account_holder_type ?? undefined,
  })
  if (isNew.every((sent) => given(sent) === null)) return { details, number: null }
  const { bankName, bankAccountType, bankAccountHolderType } = { ...present, ...details }
  const whole = {
    ...fields,
    bank_name: bankName,
    bank_account_type: bankAccountType,
    bank_account_holder_type: bankAccountHolderType,
  }
  const { bank } = readBankAccount(whole, { firstName: '', lastName: '' })
  return { details, number: null, ...(bank && { bank }) }
}
