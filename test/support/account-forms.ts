/** Bank accounts with marked numbers, as sign-ups describe them: rightly, and in all sorts of wrong ways. */
import { grouped, markedIban } from './marked-cards.ts'

const account = (bank_account_number: unknown) => ({
  bank_name: 'Hoare',
  bank_routing_number: '021000089',
  bank_account_number,
})

/** `place` gives another IBAN each time. */
export const goodAccounts = (number: () => string, place: () => number): object[] => [
  account(number()),
  account(grouped(number(), ' ')),
  { bank_iban: markedIban(place()) },
]

/** Numbers where they do not belong, and numbers that are none. */
export const misplacedAccounts = (number: () => string, place: () => number): object[] => [
  ...[
    { bank_name: '' },
    { bank_iban: number() },
    { bank_iban: markedIban(place()) },
    { bank_routing_number: number() },
    { bank_branch_code: number() },
    { bank_account_type: number() },
    { full_number: number() },
    { vault_token: number() },
    { verified: number() },
  ].map((wrong) => ({ ...account(number()), ...wrong })),
  account(`${number()}${number()}`),
  account([number()]),
  account({ digits: number() }),
]
