/** Values and needs of the fields of bank accounts, wherever an account may be described. */

const account = { bank_name: 'Hoare', bank_routing_number: '021000089', bank_account_number: '0011223344' }
const imported = { payment_type: 'bank_account', bank_name: 'Hoare', vault_token: 'acct_1' }

const values: { readonly [name: string]: unknown } = {
  bank_routing_number: '111000025',
  bank_account_number: '9988776655',
  bank_account_type: 'savings',
  bank_account_holder_type: 'business',
  bank_branch_code: '404040',
  bank_iban: 'GB82WEST12345698765432',
  payment_type: 'bank_account',
  verified: false,
}

const needs: { readonly [name: string]: object } = {
  bank_name: account,
  bank_routing_number: account,
  bank_account_number: account,
  bank_account_type: account,
  bank_account_holder_type: account,
  bank_branch_code: { ...account, bank_routing_number: undefined },
  bank_iban: { bank_name: 'Hoare' },
  payment_type: { vault_token: 'acct_1' },
  verified: imported,
}

/** Those of any profile, where it is an account. */
const common = [
  ...['first_name', 'last_name', 'billing_address', 'billing_address_2', 'billing_city', 'billing_state'],
  ...['billing_zip', 'billing_country'],
]
const ofAccount: typeof needs = {
  ...needs,
  ...Object.fromEntries(common.map((name) => [name, account])),
  ...Object.fromEntries(['customer_vault_token', 'last_four'].map((name) => [name, imported])),
  vault_token: { payment_type: 'bank_account', bank_name: 'Hoare' },
}

type Sent = (account: object) => object
type With = { readonly [path: string]: () => object }

const withAll = (prefix: string, all: typeof needs, sent: Sent): With =>
  Object.fromEntries(Object.entries(all).map(([name, need]) => [prefix + name, () => sent(need)]))

const valuesAt = (prefix: string, more: object = {}) =>
  Object.fromEntries(
    Object.entries({ ...values, ...more }).map(([name, value]) => [prefix + name, (): unknown[] => [value]]),
  )

const noProfile = { payment_profile_attributes: undefined }
const names = ['payment_profile_attributes', 'credit_card_attributes'] as const

/** Beside a subscription, under each of the three names. */
export const accountsOfSubscription = {
  values: {
    ...Object.assign({}, ...names.map((name) => valuesAt(`${name}.`))),
    ...valuesAt('bank_account_attributes.', { last_four: '6789', vault_token: 'acct_9' }),
  } as ReturnType<typeof valuesAt>,
  with: {
    ...Object.assign(
      {},
      ...names.map((name) => withAll(`${name}.`, needs, (sent) => ({ ...noProfile, [name]: sent }))),
    ),
    ...withAll('bank_account_attributes.', ofAccount, (sent) => ({ ...noProfile, bank_account_attributes: sent })),
  } as With,
  // The only vault that there is; what the name of the attributes says already.
  apart: ['bank_account_attributes.current_vault', 'bank_account_attributes.payment_type'],
}

const noCard = { full_number: undefined, cvv: undefined, expiration_month: undefined, expiration_year: undefined }

export const accountAlone = {
  values: valuesAt(''),
  with: withAll('', needs, (sent) => ({ ...noCard, ...sent })),
}

/** What a card has none of; what a bank account changes of it is told in test/api/bank-accounts.test.ts. */
export const noneOfCards = Object.keys(values).concat('bank_name')
