/** Documents made to harm: each is refused quickly, and without a word of the input. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { processorMs } from '../../test/support/patience.ts'
import { documentLimits, RequestFault } from './fault.ts'
import { readJson } from './json.ts'
import { readXml } from './xml.ts'

const card = '4111111111111111'

/** Refused as a 400 (or the status given), within the time that one request may cost, and without a word of the input. */
const refuses = (read: () => unknown, status = 400): void => {
  const cost = processorMs(() =>
    assert.throws(read, (error) => {
      assert.ok(error instanceof RequestFault, `${error}`)
      assert.equal(error.status, status)
      for (const message of error.messages) assert.doesNotMatch(message, /4111|secret|passwd|lol/)
      return true
    }),
  )
  assert.ok(cost < 500, `${cost} ms`)
}

const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i || ''};`.repeat(10)}">`).join('')}]><lolz>&lol9;</lolz>`
const attributes = (count: number): string => Array.from({ length: count }, (_, i) => ` a${i}="1"`).join('')

describe('hostile XML', () => {
  const refused: [string, string][] = [
    ['billion laughs', laughs],
    ['a quadratic blow-up', `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(50_000)}">]><a>${'&x;'.repeat(10_000)}</a>`],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/secret"> %x;]><a/>'],
    ['a bare DOCTYPE', '<!DOCTYPE html><a/>'],
    ['an entity nobody declared', '<a>&secret;</a>'],
    ['a processing instruction', '<a><?php secret ?></a>'],
    ['a stylesheet', '<?xml-stylesheet href="secret"?><a/>'],
    ['10,000 levels', '<a>'.repeat(10_000) + '</a>'.repeat(10_000)],
    ['one level too many', '<a>'.repeat(documentLimits.depth + 1) + '</a>'.repeat(documentLimits.depth + 1)],
    ['too many elements', `<a>${'<b/>'.repeat(documentLimits.elements)}</a>`],
    ['90,000 attributes', `<a${attributes(90_000)}/>`],
    ['a NUL', '<a>\0</a>'],
    ['a NUL as a reference', '<a>&#0;</a>'],
    ['a surrogate as a reference', '<a>&#xD800;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['UTF-16 read as UTF-8', '<\0a\0/\0>\0'],
    ['a declared UTF-32', '<?xml version="1.0" encoding="UTF-32"?><a/>'],
    ['a declared UTF-7', '<?xml version="1.0" encoding="UTF-7"?><a/>'],
    ['a card number in a broken document', `<a><full_number>${card}</full_nomber></a>`],
    ['a card number in an attribute without quotes', `<a number=${card}/>`],
    ['a card number as a name', `<${card}/>`],
    ['two roots', '<a/><b/>'],
    ['a document that stops', '<a><b>secret'],
    ['nothing but a comment', '<!-- secret -->'],
    ['text without a root', 'secret'],
    ['JSON', `{"full_number":"${card}"}`],
    ['text between elements', '<a>secret<b/></a>'],
    ['text in a list', '<a type="array">secret</a>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['__proto__ as an element', '<a><__proto__><admin>1</admin></__proto__></a>'],
    ['__proto__ with dashes', '<a><--proto--/></a>'],
    ['constructor as a root', '<constructor/>'],
    ['prototype behind a namespace', '<x:prototype/>'],
  ]
  for (const [title, text] of refused) it(`refuses ${title}`, () => refuses(() => readXml(text)))

  it('refuses a document that is too long before it reads it', () => {
    refuses(() => readXml(`<a>${'x'.repeat(documentLimits.characters)}</a>`), 413)
  })

  it('treats attributes named like parts of the language as any other', () => {
    assert.deepEqual(JSON.stringify(readXml('<a __proto__="x" constructor="y">1</a>')), '{"a":"1"}')
  })

  it('leaves the prototype of all objects alone', () => {
    assert.throws(() => readXml('<a><__proto__><polluted>1</polluted></__proto__></a>'))
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })
})

describe('hostile JSON', () => {
  const refused: [string, string][] = [
    ['10,000 lists in each other', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['500,000 lists in each other', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['one level too many', '['.repeat(documentLimits.depth + 1) + ']'.repeat(documentLimits.depth + 1)],
    ['too many elements', `[${'0,'.repeat(documentLimits.elements)}0]`],
    ['a number without end', '{"a":1e400}'],
    ['a negative one', '[-1e400]'],
    ['__proto__', '{"__proto__":{"polluted":1}}'],
    ['__proto__ in other letters', '{"a":{"\\u005f_proto__":1}}'],
    ['constructor', '{"a":[{"constructor":{"prototype":{"polluted":1}}}]}'],
    ['a card number in a broken document', `{"full_number": "${card}",}`],
    ['a card number without quotes before a letter', `{"full_number": ${card}secret}`],
    ['a bare word', 'secret'],
    ['single quotes', `{'a': '${card}'}`],
    ['a document that stops', `{"a": "${card}`],
    ['two documents', '{} {}'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{} // secret'],
    ['XML', `<a>${card}</a>`],
    ['a NUL', '{"a":"\0"}'],
  ]
  for (const [title, text] of refused) it(`refuses ${title}`, () => refuses(() => readJson(text)))

  it('refuses a document that is too long before it reads it', () => {
    refuses(() => readJson(`"${'x'.repeat(documentLimits.characters)}"`), 413)
  })

  it('says where a document is broken', () => {
    assert.throws(() => readJson('{"a": 1,\n "b" 2}'), {
      messages: ['The JSON document is broken at line 2, column 6.'],
    })
  })

  it('takes the last of two equal keys, and reads minus zero', () => {
    assert.deepEqual(readJson('{"a":1,"a":2}'), { a: 2 })
    assert.deepEqual(readJson('[-0]'), [-0])
  })

  it('reads up to its limits', () => {
    const { depth, elements } = documentLimits
    assert.ok(readJson('['.repeat(depth) + ']'.repeat(depth)))
    assert.ok(readJson(`[${'0,'.repeat(elements - 2)}0]`))
    assert.ok(readXml('<a>'.repeat(depth) + '</a>'.repeat(depth)))
    assert.ok(readXml(`<a>${'<b/>'.repeat(elements - 1)}</a>`))
  })
})
