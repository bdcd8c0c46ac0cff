/** The port to payment gateways: who keeps cards and moves money. Every call carries our key, so asking again is harmless. */
import type { BankAccountHolderType, BankAccountType } from '../billing/bank-account.ts'
import type { Outcome } from '../billing/changes.ts'
import type { Cents } from '../billing/money.ts'

/** A card as the customer gave it. It lives in memory from the request to the gateway and nowhere else. */
export type NewCard = {
  fullNumber: string
  cvv: string | null
  expirationMonth: number
  expirationYear: number
  firstName: string
  lastName: string
}

/** A bank account as the customer gave it, by its number within the country or by its IBAN. It lives as long as a card's number does. */
export type NewBankAccount = {
  accountNumber: string | null
  routingNumber: string | null
  branchCode: string | null
  iban: string | null
  bankName: string | null
  accountType: BankAccountType
  holderType: BankAccountHolderType
  firstName: string
  lastName: string
}

/** Of a bank account `verified` tells whether money may be asked for at once, without a proof that it is the customer's. */
export type StoreOutcome =
  | { result: 'approved'; vaultToken: string; customerVaultToken: string | null; verified?: boolean }
  | Exclude<Outcome, { result: 'approved' }>

export type PurchaseRequest = {
  siteId: number
  subscriptionId: number
  idempotencyKey: string
  amount: Cents
  vaultToken: string
}

export type RefundRequest = {
  siteId: number
  subscriptionId: number
  idempotencyKey: string
  amount: Cents
  /** What the gateway called the purchase when it approved it. */
  gatewayTransactionId: string
}

/** What the customer of an account found on it: the amounts of two small deposits, in either order. */
export type VerificationRequest = {
  siteId: number
  idempotencyKey: string
  vaultToken: string
  deposits: readonly [Cents, Cents]
}

/** Names a call that was made before, by the key that it carried. */
export type CallReference = { siteId: number; idempotencyKey: string }

export type Gateway = {
  /** As `gateway_used` and `current_vault` show it. */
  readonly name: string
  /** How many purchases may be under way at once. */
  readonly concurrencyMax: number
  /**
   * The longest that a call can take, in seconds, from our sending it to its last effect there, whether we still listen or not.
   * After that a gateway that does not know a key will not come to know it by that call.
   */
  readonly callSecondsMax: number
  /** For how many seconds after its first use a key makes asking again harmless; null is for good. */
  readonly keySecondsMax: number | null
  /** It takes no money, so live sites cannot use it. */
  readonly isForTests?: boolean
  store(instrument: NewCard | NewBankAccount, reference: CallReference): Promise<StoreOutcome>
  /** Whether these two deposits were made into the account that the token stands for; only where accounts are verified so. */
  verifyBankAccount?(request: VerificationRequest): Promise<StoreOutcome>
  /** The same key with the same amount answers as the first time; nothing is captured twice. */
  purchase(request: PurchaseRequest): Promise<Outcome>
  /** What became of the purchase with this key; `not_found` means that nothing was captured. */
  find(reference: CallReference): Promise<Outcome | { result: 'not_found' }>
  /** Gives a part of a purchase back, never more in all than it took. The same key with the same amount gives it back once. */
  refund(request: RefundRequest): Promise<Outcome>
  /** What became of the refund with this key; `not_found` means that nothing was given back. */
  findRefund(reference: CallReference): Promise<Outcome | { result: 'not_found' }>
  /** Undoes the purchase with this key, whole; doing so twice undoes it once. */
  void(reference: CallReference & { gatewayTransactionId: string }): Promise<Outcome>
  close(): Promise<void>
}

export type Gateways = ReadonlyMap<string, Gateway>

/** What a gateway says of itself, for one that stands in its place. */
export const gatewayTerms = ({ name, concurrencyMax, callSecondsMax, keySecondsMax, isForTests }: Gateway) => ({
  name,
  concurrencyMax,
  callSecondsMax,
  keySecondsMax,
  ...(isForTests !== undefined && { isForTests }),
})

/** `ask` stands in the place of the gateway's verification, for a gateway in its place; nothing where it has none. */
export const verificationOf = (
  gateway: Gateway,
  ask: (request: VerificationRequest, verify: () => Promise<StoreOutcome>) => Promise<StoreOutcome>,
): Pick<Gateway, 'verifyBankAccount'> =>
  gateway.verifyBankAccount === undefined
    ? {}
    : { verifyBankAccount: (request) => ask(request, () => gateway.verifyBankAccount!(request)) }
