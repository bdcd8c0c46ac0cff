/** How light a colour is agrees with the figures that the WCAG publishes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelsOf, luminance } from './color.ts'

test('channels are read from both ends of their range, each from its own place', () => {
  assert.deepEqual(channelsOf('#000000'), [0, 0, 0])
  assert.deepEqual(channelsOf('#ffffff'), [255, 255, 255])
  assert.deepEqual(channelsOf('#01aB10'), [1, 171, 16])
})

test('luminance runs from black to white, green weighs most and blue least, and the darkest tones are linear', () => {
  const figures: [hex: string, luminance: number][] = [
    ['#000000', 0],
    ['#ffffff', 1],
    ['#ff0000', 0.2126],
    ['#00ff00', 0.7152],
    ['#0000ff', 0.0722],
    ['#777777', 0.184475],
    ['#0a0a0a', 0.003035],
  ]
  for (const [hex, expected] of figures) {
    assert.ok(Math.abs(luminance(channelsOf(hex)) - expected) < 0.00001, `${hex}: ${luminance(channelsOf(hex))}`)
  }
})
