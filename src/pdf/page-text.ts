/** What stands on the page, word for word: amounts, dates and addresses of a document, written as its locale writes them. */

import { type Cents, moneyWriter } from '../billing/money.ts'
import type { IsoDate, PrintedDocument, PrintedLine, PrintedParty } from './document.ts'
import type { Fonts } from './fonts.ts'
import { printable, type Text } from './printable.ts'

/** What the template reads as JSON. A change here is a change of `document.typ`. */
export function pageText(document: PrintedDocument, fonts: Pick<Fonts, 'families' | 'has'>) {
  const say = (text: string): Text => printable(text, fonts)
  const money = moneyIn(document)
  const day = dayIn(document)
  const party = (from: PrintedParty) => ({ name: say(from.name), lines: addressOf(from, document.locale).map(say) })
  const sum = (label: string, amount: Cents) => ({ label: say(label), amount: say(money(amount)) })
  return {
    fonts: fonts.families,
    paper: document.pageSize === 'Letter' ? 'us-letter' : 'a4',
    language: languageOf(document.locale),
    title: say(document.title),
    number: say(document.number),
    date: dateParts(document.issuedOn),
    heading: `${document.title} ${document.number}`,
    seller: {
      ...party(document.seller),
      author: document.seller.name,
      logo: document.seller.logo && `/logo.${document.seller.logo.type}`,
    },
    buyer: party(document.buyer),
    shipTo: document.shipTo && party(document.shipTo),
    facts: factsOf(document, day).map(({ label, value }) => ({ label: say(label), value: say(value) })),
    stamp: document.stamp,
    due: {
      label: say(document.balanceLabel),
      amount: say(money(document.balance)),
      note: say(noteOf(document, day)),
    },
    columns: { quantity: document.lines.some(hasQuantity), price: document.lines.some(hasPrice) },
    lines: document.lines.map((line) => ({
      description: say(line.description),
      period: say(line.period ? `${day(line.period.from)} – ${day(line.period.to)}` : ''),
      quantity: say(line.quantity ? decimalIn(document.locale)(line.quantity) : ''),
      price: say(line.unitPrice ? unitPriceIn(document)(line.unitPrice) : ''),
      amount: say(money(line.amount)),
    })),
    sums: sumsOf(document).map(([label, amount]) => sum(label, amount)),
    total: sum('Total', document.total),
    settled: settledOf(document, day).map(([label, amount]) => sum(label, amount)),
    balance: sum(document.balanceLabel, document.balance),
    notes: document.notes.flatMap((note) => note.split(/\r?\n/)).map(say),
  }
}

const hasQuantity = (line: PrintedLine): boolean => Boolean(line.quantity)
const hasPrice = (line: PrintedLine): boolean => Boolean(line.unitPrice)

const languageOf = (locale: string): string => new Intl.Locale(locale).language

function dateParts(date: IsoDate) {
  const { year, month, day } = Temporal.PlainDate.from(date)
  return { year, month, day }
}

/** Where letters carry the code before the town. */
const codeFirst = new Set(
  'AT BE BG BR CH CN CZ DE DK EE ES FI FR GR HR HU IL IS IT JP KR LI LT LU LV MC MX NL NO PL PT RO RS SE SI SK TR UA'.split(
    ' ',
  ),
)

function placeOf({ city, state, zip, country }: PrintedParty): string {
  const parts =
    country !== null && codeFirst.has(country)
      ? [[zip, city].filter(Boolean).join(' '), state]
      : [city, [state, zip].filter(Boolean).join(' ')]
  return parts.filter(Boolean).join(', ')
}

const countryName = (code: string, locale: string): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code) : code

function addressOf(party: PrintedParty, locale: string): string[] {
  const { country } = party
  return [
    party.attention,
    party.address,
    party.address2,
    placeOf(party),
    country && countryName(country, locale),
    party.email,
    party.vatNumber && `VAT ID ${party.vatNumber}`,
  ].filter((line): line is string => Boolean(line))
}

/** Beside the amount in the box. */
function noteOf({ balance, dueOn, paidOn }: PrintedDocument, day: Day): string {
  if (paidOn !== null) return `Paid ${day(paidOn)}`
  return dueOn !== null && balance > 0 ? `Due ${day(dueOn)}` : ''
}

type Day = (date: IsoDate) => string

function factsOf(document: PrintedDocument, day: Day) {
  return [
    { label: `${document.title} number`, value: document.number },
    { label: 'Issued', value: day(document.issuedOn) },
    ...(document.dueOn === null ? [] : [{ label: 'Due', value: day(document.dueOn) }]),
    ...document.facts,
  ]
}

type Sum = readonly [label: string, amount: Cents]

const minus = (amount: Cents): Cents => -amount as Cents

/** The way from the lines to the total; nothing where it leads straight there. */
function sumsOf(document: PrintedDocument): Sum[] {
  if (document.discounts.length === 0 && document.taxes.length === 0) return []
  const subtotal = document.lines.reduce((sum, line) => sum + line.amount, 0) as Cents
  return [
    ['Subtotal', subtotal],
    ...document.discounts.map(({ name, amount }): Sum => [name, minus(amount)]),
    ...document.taxes.map(
      ({ name, ratePercent, amount }): Sum => [taxLabel(name, ratePercent, document.locale), amount],
    ),
  ]
}

function taxLabel(name: string, ratePercent: string | null, locale: string): string {
  if (ratePercent === null) return name
  const rate = `${decimalIn(locale)(ratePercent)} %`
  return name.replaceAll(' ', '').includes(`${Number(ratePercent)}%`) ? name : `${name} (${rate})`
}

/** The way from the total to what is due. */
function settledOf(document: PrintedDocument, day: Day): Sum[] {
  const { previousBalance } = document
  return [
    ...(previousBalance === 0
      ? []
      : [[previousBalance < 0 ? 'Credit from before' : 'Balance from before', previousBalance] as const]),
    ...document.payments.map(({ name, on, amount }): Sum => [`${name}, ${day(on)}`, minus(amount)]),
  ]
}

const dayIn = ({ locale }: PrintedDocument): Day => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (date) => format.format(Date.parse(`${date}T00:00:00Z`))
}

/** A real minus sign: a hyphen is too short beside figures. */
const withMinus = (text: string): string => text.replace(/^-/, '−')

const moneyIn = ({ locale, currency }: PrintedDocument) => {
  const write = moneyWriter(locale, currency)
  return (amount: Cents): string => withMinus(write(amount))
}

const unitPriceIn = ({ locale, currency }: PrintedDocument) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 8 })
  return (price: string): string => withMinus(format.format(Number(price)))
}

const decimalIn = (locale: string) => {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 8 })
  return (decimal: string): string => withMinus(format.format(Number(decimal)))
}
