/** What values are taken, and what is said of the others. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import * as input from './input.ts'
import { listOf, money, moneyInCents, nested, object, readInput, text, wrapped } from './input.ts'
import { readXml } from './xml.ts'

/** What one field makes of a value: the value, or the messages. */
const read = (field: z.ZodType, value: unknown): unknown => {
  try {
    return readInput(object({ field }), { field: value }).field
  } catch (error) {
    assert.ok(error instanceof input.InputErrors, `${error}`)
    return error.messages
  }
}

const customer = {
  first_name: text('First name', { required: true }),
  last_name: text('Last name', { required: true }),
  email: input.email('Email address', { required: true }),
  organization: text('Organization'),
}

describe('one field', () => {
  const big = 'x'.repeat(256)
  const table: [string, z.ZodType, unknown, unknown][] = [
    ['text is kept as it was sent', text('T'), ' a ', ' a '],
    ['empty text stays empty', text('T'), '', ''],
    ['null clears', text('T'), null, null],
    ['numbers become text', text('T'), 12, '12'],
    ['text has a limit', text('T'), big, ['T: is too long (maximum is 255 characters).']],
    ['and may have another', text('T', { max: input.longTextMax }), big, big],
    ['text is no object', text('T'), {}, ['T: must be a string.']],
    ['text is no list', text('T'), ['a'], ['T: must be a string.']],
    ['text holds no NUL', text('T'), 'a\0b', ['T: contains characters that cannot be stored.']],
    ['text holds no half characters', text('T'), 'a\ud800', ['T: contains characters that cannot be stored.']],
    ['needed text is not blank', text('T', { required: true }), ' \t\u00a0', ['T: cannot be blank.']],
    ['needed text is not null', text('T', { required: true }), null, ['T: cannot be blank.']],
    ['an address', input.email('E'), 'ada@example.com', 'ada@example.com'],
    ['an address in other scripts', input.email('E'), 'åse@bücher.example', 'åse@bücher.example'],
    ['an address may be empty', input.email('E'), '', ''],
    ['no address', input.email('E'), 'ada', ['E: must be a valid email format.']],
    ['no second header', input.email('E'), 'a@b\r\nBcc: c@d', ['E: must be a valid email format.']],
    ['no second address', input.email('E'), 'a@b,c@d', ['E: must be a valid email format.']],
    ['an integer', input.integer('N'), 5, 5],
    ['an integer as text', input.integer('N'), ' 05 ', 5],
    ['minus zero is zero', input.integer('N'), -0, 0],
    ['minus zero as text', input.integer('N'), '-0', 0],
    ['a blank integer', input.integer('N'), '', null],
    ['no integer', input.integer('N'), 'x', ['N: is not a number.']],
    ['no hexadecimal', input.integer('N'), '0x10', ['N: is not a number.']],
    ['no exponent', input.integer('N'), '1e3', ['N: is not a number.']],
    ['no boolean', input.integer('N'), true, ['N: is not a number.']],
    ['no fraction', input.integer('N'), 1.5, ['N: must be an integer.']],
    ['no rounded integer', input.integer('N'), Number('9007199254740993'), ['N: is too large.']],
    ['nor as text', input.integer('N'), '9007199254740993', ['N: is too large.']],
    ['nor with more digits', input.integer('N'), '90071992547409930', ['N: is not a number.']],
    ['a least integer', input.integer('N', { min: 1, max: 12 }), 0, ['N: must be greater than or equal to 1.']],
    ['a greatest integer', input.integer('N', { min: 1, max: 12 }), '13', ['N: must be less than or equal to 12.']],
    ['an id', input.idNumber('I'), '500001', 500001],
    ['the id 0, which is none', input.idNumber('I'), 0, null],
    ['a needed id 0', input.idNumber('I', { required: true }), '0', ['I: cannot be blank.']],
    ['no negative id', input.idNumber('I'), -1, ['I: must be greater than or equal to 0.']],
    ['cents', input.cents('C'), '-150', -150],
    ['no more cents than sums can bear', input.cents('C'), 1e13, ['C: must be less than or equal to 1000000000000.']],
    ['an amount', input.amount('A'), '10.00', 1000],
    ['an amount with one decimal', input.amount('A'), '10.5', 1050],
    ['an amount without any', input.amount('A'), '10', 1000],
    ['a negative amount', input.amount('A'), '-0.07', -7],
    ['an amount as a number', input.amount('A'), 1.1, 110],
    ['an amount that floats cannot hold', input.amount('A'), '8.29', 829],
    ['no third decimal', input.amount('A'), '1.005', ['A: must have at most two decimals.']],
    ['no sign of a currency', input.amount('A'), '$10.00', ['A: is not a number.']],
    ['a least amount', input.amount('A', { min: 1 }), '0.00', ['A: must be greater than or equal to 0.01.']],
    ['a decimal stays text', input.decimal('D'), '6.000', '6.000'],
    ['a decimal as a number', input.decimal('D'), 6.5, '6.5'],
    ['a decimal that JavaScript writes with an exponent', input.decimal('D'), 6.5e-7, '0.00000065'],
    ['the same as text', input.decimal('D'), '65E-8', '0.00000065'],
    ['the smallest decimal, below zero', input.decimal('D'), -1e-8, '-0.00000001'],
    ['a number of more places', input.decimal('D'), 1e-9, ['D: must have at most 8 decimals.']],
    [
      'a bound is told without an exponent',
      input.decimal('D', { min: 1e-8 }),
      0,
      ['D: must be greater than or equal to 0.00000001.'],
    ],
    ['no decimal', input.decimal('D'), '6,5', ['D: is not a number.']],
    ['too many places', input.decimal('D', { places: 2 }), '6.125', ['D: must have at most 2 decimals.']],
    [
      'a greatest decimal',
      input.decimal('D', { min: 0, max: 100 }),
      '100.1',
      ['D: must be less than or equal to 100.'],
    ],
    ['one of a few words', input.oneOf('U', ['day', 'month']), 'day', 'day'],
    ['none of them', input.oneOf('U', ['day', 'month']), 'year', ['U: must be one of day, month.']],
    ['a blank word', input.oneOf('U', ['day', 'month']), '', null],
    ['a list of one word', input.oneOf('U', ['day', 'month']), ['day'], ['U: must be one of day, month.']],
    ['a word that objects have', input.oneOf('U', ['day']), 'constructor', ['U: must be one of day.']],
    ['neither true nor false', input.boolean('B'), 'yes', ['B: must be true or false.']],
    ['a blank boolean', input.boolean('B'), ' ', null],
  ]
  for (const [title, field, value, expected] of table) {
    it(`${title}: ${JSON.stringify(value)?.slice(0, 40)}`, () => assert.deepEqual(read(field, value), expected))
  }

  for (const value of [true, 1, '1', 'true', 'TRUE', ' true ']) {
    it(`true may be said as ${JSON.stringify(value)}`, () => assert.equal(read(input.boolean('B'), value), true))
  }
  for (const value of [false, 0, '0', 'false', 'False']) {
    it(`false may be said as ${JSON.stringify(value)}`, () => assert.equal(read(input.boolean('B'), value), false))
  }
})

describe('an input', () => {
  const schema = object({
    product_handle: text('Product handle', { required: true }),
    customer_attributes: nested('Customer', customer),
    components: listOf(
      'Components',
      object({ component_id: input.idNumber('Component', { required: true }), quantity: input.integer('Quantity') }),
    ),
    ids: listOf('Ids', input.idNumber('Id', { required: true }), { max: 3 }),
    ...money('Amount'),
  })
  const problems = (tree: unknown, of: z.ZodType = schema): readonly string[] => {
    try {
      readInput(of, tree)
    } catch (error) {
      return (error as input.InputErrors).messages
    }
    return []
  }

  it('tells absent from null', () => {
    assert.deepEqual(readInput(object({ a: text('A'), b: text('B') }), { b: null }), { b: null })
  })

  it('ignores fields that it does not know, and inherited ones', () => {
    const tree = Object.assign(Object.create({ b: 'x' }), { a: '1', id: 0, created_at: '' })
    assert.deepEqual(readInput(object({ a: text('A') }), tree), { a: '1' })
  })

  it('reports every problem at once, one a field, in the order of the declaration', () => {
    assert.deepEqual(
      problems({
        amount: 'x',
        components: [{}, { component_id: 1, quantity: 'x' }],
        customer_attributes: { email: 'x' },
      }),
      [
        'Product handle: cannot be blank.',
        'First name: cannot be blank.',
        'Last name: cannot be blank.',
        'Email address: must be a valid email format.',
        'Component: cannot be blank.',
        'Quantity: is not a number.',
        'Amount: is not a number.',
      ],
    )
  })

  it('names each missing field when nothing usable was sent', () => {
    for (const tree of [undefined, null, 'x', 5, [], {}]) {
      assert.deepEqual(problems(tree, object(customer)), [
        'First name: cannot be blank.',
        'Last name: cannot be blank.',
        'Email address: cannot be blank.',
      ])
    }
  })

  it('lets needed fields be absent from an update, but not blank', () => {
    const update = object(customer).partial()
    assert.deepEqual(readInput(update, { last_name: 'L' }), { last_name: 'L' })
    assert.deepEqual(problems({ first_name: '', last_name: null }, update), [
      'First name: cannot be blank.',
      'Last name: cannot be blank.',
    ])
  })

  it('wants objects and lists where they belong; blank is none', () => {
    assert.deepEqual(problems({ product_handle: 'p', customer_attributes: 'x', components: 'y', ids: [1, 2, 3, 4] }), [
      'Customer: must be an object.',
      'Components: must be a list.',
      'Ids: is too long (maximum is 3 items).',
    ])
    const blank = readInput(schema, { product_handle: 'p', customer_attributes: '', components: null, ids: '' })
    assert.deepEqual(blank, { product_handle: 'p', customer_attributes: null, components: null, ids: null })
  })

  it('reads XML lists with and without their type', () => {
    for (const type of ['', ' type="array"']) {
      const tree = wrapped(
        readXml(`<s><product-handle>p</product-handle><ids${type}><id>1</id><id type="integer">2</id></ids></s>`),
        's',
      )
      assert.deepEqual(readInput(schema, tree), { product_handle: 'p', ids: [1, 2] })
      const one = wrapped(
        readXml(
          `<s><product-handle>p</product-handle><components${type}><component><component_id>7</component_id></component></components></s>`,
        ),
        's',
      )
      assert.deepEqual(readInput(schema, one), { product_handle: 'p', components: [{ component_id: 7 }] })
    }
  })

  it('never repeats what was sent', () => {
    const card = '4111111111111111'
    const fields = [
      text('T', { max: 3 }),
      input.integer('N'),
      input.email('E'),
      input.amount('A', { max: 1 }),
      input.decimal('D', { max: 1 }),
      input.boolean('B'),
      input.oneOf('U', ['a']),
      input.idNumber('I'),
      nested('O', {}),
      listOf('L', text('T')),
    ]
    for (const field of fields) {
      const result = read(field, `${card}4`)
      assert.ok(Array.isArray(result))
      assert.doesNotMatch(String(result), /4111/)
    }
  })

  it('takes cents before the decimal amount', () => {
    assert.equal(moneyInCents(readInput(object(money('Amount')), { amount: '10.00', amount_in_cents: '5' })), 5)
    assert.equal(moneyInCents(readInput(object(money('Amount')), { amount: '10.00' })), 1000)
    assert.equal(moneyInCents(readInput(object(money('Amount')), { amount: '0', amount_in_cents: '' })), 0)
    assert.equal(moneyInCents({}), null)
  })

  it('describes itself as JSON schema', () => {
    const described = z.toJSONSchema(
      object({
        ...customer,
        interval: input.integer('Interval', { min: 1 }),
        unit: input.oneOf('Unit', ['day'], { required: true }),
      }),
      { io: 'input' },
    )
    assert.deepEqual(described.required, ['first_name', 'last_name', 'email', 'unit'])
    assert.deepEqual(described.properties?.interval, { title: 'Interval', type: ['integer', 'null'], minimum: 1 })
    assert.deepEqual(described.properties?.unit, { title: 'Unit', type: 'string', enum: ['day'] })
    assert.deepEqual(described.properties?.email, {
      title: 'Email address',
      type: 'string',
      format: 'email',
      maxLength: 255,
    })
  })
})

describe('the wrapper', () => {
  it('gives the object under the name, or an empty one', () => {
    assert.deepEqual(wrapped({ subscription: { a: 1 } }, 'subscription'), { a: 1 })
    for (const body of [
      undefined,
      null,
      'x',
      [],
      {},
      { subscription: null },
      { subscription: 'x' },
      { subscription: [1] },
    ]) {
      assert.deepEqual(wrapped(body, 'subscription'), {})
    }
    assert.deepEqual(wrapped({}, 'constructor'), {})
    assert.deepEqual(wrapped({}, '__proto__'), {})
  })
})

it('gives the digits of a number that was sent back as they were, up to eight decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (units) => {
      const digits = String(units).padStart(9, '0')
      const exact = `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')
      assert.equal(read(input.decimal('D'), Number(exact)), exact)
    }),
  )
})
