/** What can be printed: an invoice, a statement or a receipt as plain data, before anybody thinks of pages. */

import type { Cents, DecimalText } from '../billing/money.ts'

/** `2026-12-01`: text, so that a document can be handed to another process as it is. */
export type IsoDate = string

type PageSize = 'A4' | 'Letter'

export type PrintedParty = {
  readonly name: string
  /** A second name above the address: the person within an organization. */
  readonly attention?: string | null
  readonly address: string | null
  readonly address2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  /** Two upper-case letters; printed as the country's name. */
  readonly country: string | null
  readonly email?: string | null
  readonly vatNumber?: string | null
}

export type PrintedLogo = { readonly type: 'png' | 'jpg' | 'svg'; readonly bytes: Uint8Array }

export type PrintedLine = {
  readonly description: string
  /** Both days are printed. */
  readonly period?: { readonly from: IsoDate; readonly to: IsoDate } | null
  readonly quantity?: DecimalText | null
  /** In the currency, not in cents: a unit may cost a part of a cent. */
  readonly unitPrice?: DecimalText | null
  readonly amount: Cents
}

type PrintedDiscount = { readonly name: string; readonly amount: Cents }

export type PrintedTax = {
  readonly name: string
  readonly ratePercent: DecimalText | null
  /** What the rate was taken of; null when that is not on record. */
  readonly base: Cents | null
  readonly amount: Cents
}

/** Money received or credit given: both take from what is due, so the amount is positive. */
export type PrintedPayment = { readonly name: string; readonly on: IsoDate; readonly amount: Cents }

/** A line of the box beside the addresses: `Billing period`, `Dec 1, 2026 – Jan 1, 2027`. */
type PrintedFact = { readonly label: string; readonly value: string }

export type PrintedDocument = {
  readonly kind: 'invoice' | 'statement' | 'receipt'
  /** In large letters: `Invoice`. */
  readonly title: string
  readonly number: string
  readonly issuedOn: IsoDate
  readonly dueOn: IsoDate | null
  readonly paidOn: IsoDate | null
  readonly facts: readonly PrintedFact[]
  readonly seller: PrintedParty & { readonly logo: PrintedLogo | null }
  readonly buyer: PrintedParty
  readonly shipTo: PrintedParty | null
  readonly lines: readonly PrintedLine[]
  readonly discounts: readonly PrintedDiscount[]
  readonly taxes: readonly PrintedTax[]
  /** Lines less discounts plus taxes. */
  readonly total: Cents
  /** What was owed (or, negative, credited) before; printed with the payments when it is not 0. */
  readonly previousBalance: Cents
  readonly payments: readonly PrintedPayment[]
  readonly balance: Cents
  /** `Amount due`, `Ending balance`. */
  readonly balanceLabel: string
  readonly stamp: 'paid' | 'archived' | null
  readonly notes: readonly string[]
  readonly pageSize: PageSize
  readonly currency: string
  /** How dates and amounts are written: `en-US`, `de-DE`. */
  readonly locale: string
}
