/** The same invoice for machines: Factur-X 1.0 (Cross Industry Invoice), in the richest profile that the data fills truthfully. */

import type { Cents } from '../billing/money.ts'
import type { IsoDate, PrintedDocument, PrintedParty, PrintedTax } from './document.ts'

export type Profile = 'MINIMUM' | 'BASIC WL'

export type ElectronicInvoice = { readonly profile: Profile; readonly xml: string }

const guidelines: Record<Profile, string> = {
  MINIMUM: 'urn:factur-x.eu:1p0:minimum',
  'BASIC WL': 'urn:factur-x.eu:1p0:basicwl',
}

/** Null for what is no invoice, and where the seller's country or VAT id is not known: every profile asks for both. */
export function electronicInvoice(document: PrintedDocument): ElectronicInvoice | null {
  const { kind, seller } = document
  if (kind !== 'invoice' || !isCountry(seller.country) || !seller.vatNumber) return null
  const profile = fillsBasic(document) ? 'BASIC WL' : 'MINIMUM'
  return { profile, xml: write(document, profile) }
}

const isCountry = (code: string | null): code is string => /^[A-Z]{2}$/.test(code ?? '')

const sumOf = (amounts: readonly { readonly amount: Cents }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

type RatedTax = PrintedTax & { readonly base: Cents; readonly ratePercent: string }
const isRated = (tax: PrintedTax): tax is RatedTax =>
  tax.base !== null && tax.ratePercent !== null && Number(tax.ratePercent) > 0

/** A breakdown needs rates that explain the whole amount, and to which of them a discount belongs. */
function fillsBasic({ buyer, lines, discounts, taxes, total, balance }: PrintedDocument): boolean {
  const net = sumOf(lines) - sumOf(discounts)
  const rated = taxes.filter(isRated)
  const bases = rated.reduce((sum, { base }) => sum + base, 0)
  return (
    isCountry(buyer.country) &&
    total >= 0 &&
    balance <= total &&
    rated.length > 0 &&
    rated.length === taxes.length &&
    bases === net &&
    (rated.length === 1 || discounts.length === 0) &&
    rated.every(({ base, ratePercent, amount }) => Math.abs((base * Number(ratePercent)) / 100 - amount) < 1)
  )
}

const namespaces = [
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
].join(' ')

/** A negative total is a credit note, whose amounts are positive. */
function write(document: PrintedDocument, profile: Profile): string {
  const isCredit = document.total < 0
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice ${namespaces}>`,
    '<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>',
    element('ram:ID', guidelines[profile]),
    '</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>',
    '<rsm:ExchangedDocument>',
    element('ram:ID', document.number),
    element('ram:TypeCode', isCredit ? '381' : '380'),
    `<ram:IssueDateTime>${dateTime(document.issuedOn)}</ram:IssueDateTime>`,
    '</rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>',
    `<ram:ApplicableHeaderTradeAgreement>${parties(document, profile)}</ram:ApplicableHeaderTradeAgreement>`,
    '<ram:ApplicableHeaderTradeDelivery/>',
    `<ram:ApplicableHeaderTradeSettlement>${settlement(document, profile)}</ram:ApplicableHeaderTradeSettlement>`,
    '</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>\n',
  ].join('')
}

const parties = ({ seller, buyer }: PrintedDocument, profile: Profile): string => {
  const country = element('ram:CountryID', seller.country ?? '')
  const of = (party: PrintedParty) => (profile === 'MINIMUM' ? '' : addressOf(party))
  return [
    `<ram:SellerTradeParty>${element('ram:Name', seller.name)}`,
    of(seller) || `<ram:PostalTradeAddress>${country}</ram:PostalTradeAddress>`,
    `${registration(seller)}</ram:SellerTradeParty>`,
    `<ram:BuyerTradeParty>${element('ram:Name', buyer.name)}${of(buyer)}`,
    `${profile === 'MINIMUM' ? '' : registration(buyer)}</ram:BuyerTradeParty>`,
  ].join('')
}

const addressOf = ({ zip, address, address2, city, country, state }: PrintedParty): string =>
  [
    '<ram:PostalTradeAddress>',
    optional('ram:PostcodeCode', zip),
    optional('ram:LineOne', address),
    optional('ram:LineTwo', address2),
    optional('ram:CityName', city),
    optional('ram:CountryID', country),
    optional('ram:CountrySubDivisionName', state),
    '</ram:PostalTradeAddress>',
  ].join('')

/** A VAT id begins with its country, also where the merchant wrote it without. */
const registration = ({ vatNumber, country }: PrintedParty): string => {
  if (!vatNumber) return ''
  const id = vatNumber.replace(/[\s.-]/g, '').toUpperCase()
  const full = /^[A-Z]{2}/.test(id) ? id : `${country === 'GR' ? 'EL' : (country ?? '')}${id}`
  return `<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${written(full)}</ram:ID></ram:SpecifiedTaxRegistration>`
}

function settlement(document: PrintedDocument, profile: Profile): string {
  const { currency, taxes, discounts, dueOn } = document
  const isBasic = profile === 'BASIC WL'
  const rate = taxes[0]?.ratePercent ?? ''
  return [
    element('ram:InvoiceCurrencyCode', currency),
    ...(isBasic ? taxes.filter(isRated).map(tradeTax) : []),
    ...(isBasic ? discounts.map(({ name, amount }) => allowance(name, amount, rate)) : []),
    isBasic ? terms(dueOn) : '',
    summation(document, isBasic),
  ].join('')
}

const tradeTax = ({ amount, base, ratePercent }: RatedTax): string =>
  [
    `<ram:ApplicableTradeTax>${money('ram:CalculatedAmount', amount)}`,
    `<ram:TypeCode>VAT</ram:TypeCode>${money('ram:BasisAmount', base)}<ram:CategoryCode>S</ram:CategoryCode>`,
    `${element('ram:RateApplicablePercent', ratePercent)}</ram:ApplicableTradeTax>`,
  ].join('')

const allowance = (reason: string, amount: Cents, rate: string): string =>
  [
    '<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator>',
    `${money('ram:ActualAmount', amount)}${element('ram:Reason', reason)}<ram:CategoryTradeTax><ram:TypeCode>VAT</ram:TypeCode>`,
    `<ram:CategoryCode>S</ram:CategoryCode>${element('ram:RateApplicablePercent', rate)}</ram:CategoryTradeTax>`,
    '</ram:SpecifiedTradeAllowanceCharge>',
  ].join('')

const terms = (dueOn: IsoDate | null): string => {
  const said = dueOn === null ? '<ram:Description>Due on receipt.</ram:Description>' : ''
  const due = dueOn === null ? '' : `<ram:DueDateDateTime>${dateTime(dueOn)}</ram:DueDateDateTime>`
  return `<ram:SpecifiedTradePaymentTerms>${said}${due}</ram:SpecifiedTradePaymentTerms>`
}

function summation({ lines, discounts, taxes, total, balance, currency }: PrintedDocument, isBasic: boolean): string {
  const sign = total < 0 ? -1 : 1
  const tax = sumOf(taxes)
  const due = Math.abs(balance)
  return [
    '<ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
    isBasic ? money('ram:LineTotalAmount', sumOf(lines)) : '',
    isBasic && discounts.length > 0 ? money('ram:AllowanceTotalAmount', sumOf(discounts)) : '',
    money('ram:TaxBasisTotalAmount', sign * (total - tax)),
    `<ram:TaxTotalAmount currencyID="${written(currency)}">${decimal(sign * tax)}</ram:TaxTotalAmount>`,
    money('ram:GrandTotalAmount', sign * total),
    isBasic && total !== balance ? money('ram:TotalPrepaidAmount', total - balance) : '',
    money('ram:DuePayableAmount', due),
    '</ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
  ].join('')
}

const dateTime = (date: IsoDate): string =>
  `<udt:DateTimeString format="102">${date.replaceAll('-', '')}</udt:DateTimeString>`

const decimal = (amount: number): string => (amount / 100).toFixed(2)
const money = (name: string, amount: number): string => element(name, decimal(amount))

const optional = (name: string, text: string | null): string => (text ? element(name, text) : '')
const element = (name: string, text: string): string => `<${name}>${written(text)}</${name}>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Without what XML 1.0 has no way to write. */
const written = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character]!)
