/** What is hashed of a request holds no card and no bank account, whatever name it was sent under, and still tells one from another. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentLimits } from '../wire/fault.ts'
import { readJson } from '../wire/json.ts'
import { readXml } from '../wire/xml.ts'
import { describeRequest } from './describe-request.ts'

const wrappers = ['payment_profile_attributes', 'credit_card_attributes', 'payment_profile', 'credit_card'] as const

const json = (wrapper: string, number: string, cvv: string): unknown =>
  readJson(
    `{"subscription": {"product_handle": "monthly", "${wrapper}": {"full_number": ${number}, "cvv": "${cvv}"}}}`,
    documentLimits,
  )

const xml = (wrapper: string, number: string, cvv: string): unknown => {
  const [outer, card] = [wrapper.replaceAll('_', '-'), `<full-number>${number}</full-number><cvv>${cvv}</cvv>`]
  return readXml(`<subscription><${outer} kind="x">${card}</${outer}></subscription>`, documentLimits)
}

const described = (body: unknown, query = {}): string =>
  describeRequest({ method: 'POST', path: '/subscriptions', query, body })

for (const [format, read] of Object.entries({ json, xml })) {
  describe(`a request in ${format}`, () => {
    for (const wrapper of wrappers) {
      test(`is described by the last four digits of the number in ${wrapper}, and by nothing else of the card`, () => {
        const quoted = (number: string): string => (format === 'json' ? `"${number}"` : number)
        const text = described(read(wrapper, quoted('4111 1111-1111 1234'), '987'))
        assert.equal(text, described(read(wrapper, quoted('5555555555551234'), '986')))
        assert.notEqual(text, described(read(wrapper, quoted('4111111111111235'), '987')))
        assert.doesNotMatch(text, /4111|987|cvv/)
      })
    }
  })
}

test('a number that is sent as a number, in a list or in the query, is none of the description either', () => {
  const card = json('credit_card', '4111111111111234', '987')
  assert.doesNotMatch(described([card, { list: [card] }], { full_number: '4111111111111234', cvv: '987' }), /4111|987/)
})

test('of a bank account the ends of its numbers are in the description, and the rest tells requests apart', () => {
  const sent = (bank_account_number: string, more = {}) =>
    described({ bank_account_attributes: { bank_name: 'Hoare', bank_account_number, ...more } })
  assert.equal(sent('9918 2233-3344'), sent('776655443344'))
  assert.notEqual(sent('991822333344'), sent('991822333345'))
  const others = { bank_iban: 'GB82WEST12345698765432', bank_routing_number: '021000089', bank_branch_code: '404040' }
  assert.doesNotMatch(sent('991822333344', others), /9918|WEST|0210|404040/)
  assert.match(sent('1', others), /Hoare/)
})

test('everything else makes another request', () => {
  const body = json('credit_card', '"1"', '987')
  assert.notEqual(described(body), described({ ...(body as object), more: 1 }))
  assert.notEqual(described(body), described(body, { page: '2' }))
})
