/** Whatever colour a site takes, what stands on it and what is written in it can be read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findAsset, lookOf } from './look.ts'

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const textOf = (name: string): string => {
  const page = findAsset(name.split('/').at(-1) ?? '')
  assert.ok(page?.content.kind === 'file', name)
  return String(page.content.bytes)
}

test('text on the accent, and the accent as text in light and dark, has the contrast that readers need', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, (accent) => {
      const sheet = textOf(lookOf(accent).accentSheet)
      const [, button = '', text = ''] = /--accent: (#\w{6}); --on-accent: (#\w{6});/.exec(sheet) ?? []
      const [light = '', dark = ''] = [...sheet.matchAll(/--accent-text: (#\w{6});/g)].map(([, hex]) => hex ?? '')
      assert.equal(button, accent)
      assert.ok(contrast(text, button) >= 4.5, `${text} on ${button}`)
      for (const surface of ['#ffffff', '#f3f4f7']) assert.ok(contrast(light, surface) >= 4.5, `${light} on ${surface}`)
      for (const surface of ['#12151b', '#1d222b']) assert.ok(contrast(dark, surface) >= 4.5, `${dark} on ${surface}`)
    }),
  )
})

test('the files that pages refer to exist, and no others', () => {
  const look = lookOf('#1f4fbf')
  for (const name of Object.values(look)) assert.ok(textOf(name).length > 0)
  for (const name of ['', 'portal.css', 'accent-1f4fb.css', 'accent-red.css', 'icon-1f4fbf.png', '../look.ts']) {
    assert.equal(findAsset(name), undefined, name)
  }
})
